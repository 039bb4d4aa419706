import ArgumentParser
import SyncKit

/// A script with which a shell completes the words of a program.
///
/// It knows no command and no option: it calls the program with ``Completion/request``. So it is small, loads at
/// once, and fits every version of the program.
package struct CompletionScript {
  /// A shell that has a script.
  package enum Shell: String, CaseIterable, Sendable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  private let shell: Shell
  private let program: String

  package init(_ shell: Shell, for program: String) {
    self.shell = shell
    self.program = program
  }

  /// The script, for a file or for `source`.
  package var text: String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The program's name as a part of the name of a function.
  private var function: String { String(program.map { $0 == "-" ? "_" : $0 }) }
}

extension CompletionScript {
  /// For bash 3.2 and newer.
  private var bash: String {
    #"""
    # Completes the words of \#(program) in bash. The program says what fits.
    _\#(function)() {
      local rest=${COMP_LINE:0:COMP_POINT} words=() replies=() kind= stripped word last i
      # bash divides words at = and : too; they are put together again.
      for ((i = 0; i <= COMP_CWORD; i++)); do
        stripped=${rest#"${rest%%[![:space:]]*}"}
        word=$stripped
        ((i == COMP_CWORD)) || word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $stripped == "$rest" ]]; then
          words[${#words[*]} - 1]+=$word
        elif ((i > 0)); then
          words[${#words[*]}]=$word
        fi
        rest=${stripped#"$word"}
      done
      last=${words[${#words[*]} - 1]}
      local quote=
      [[ $last != [\"\']* ]] || quote=${last:0:1}
      for ((i = 0; i < ${#words[*]}; i++)); do words[i]=${words[i]//[\"\'\\]/}; done
      last=${words[${#words[*]} - 1]}

      {
        read -r kind
        while IFS=$'\t' read -r word _; do
          [[ -n $quote ]] || printf -v word %q "$word"
          replies[${#replies[*]}]=$word
        done
      } < <("${1/#\~/$HOME}" ---complete "${words[@]}" 2>/dev/null)

      local lead= path=$last ending endings
      if [[ $kind != none && -n $kind ]]; then
        if [[ $last == --*=* ]]; then lead=${last%%=*}= path=${last#*=}; fi
        compopt -o filenames 2>/dev/null
        read -r -a endings <<<"${kind#* }"
        while IFS= read -r word; do
          case $kind in
          folders) [[ -d ${word/#\~/$HOME} ]] || continue ;;
          files\ *)
            if [[ ! -d ${word/#\~/$HOME} ]]; then
              for ending in "${endings[@]}" ''; do [[ $word != *."$ending" ]] || break; done
              [[ -n $ending ]] || continue
            fi
            ;;
          esac
          replies[${#replies[*]}]=$lead$word
        done < <(compgen -f -- "$path")
      fi

      # What stands before the last = or : is on the line already, where bash divides words there.
      local before=
      if [[ $last == *[=:]* && $COMP_WORDBREAKS == *=* && $COMP_WORDBREAKS == *:* ]]; then
        before=${last%"${last##*[=:]}"}
      fi
      COMPREPLY=()
      for ((i = 0; i < ${#replies[*]}; i++)); do COMPREPLY[i]=${replies[i]#"$before"}; done
    }
    complete -F _\#(function) \#(program)

    """#
  }

  private var zsh: String {
    #"""
    #compdef \#(program)
    # Completes the words of \#(program) in zsh. The program says what fits.
    _\#(function)() {
      local program=${(Q)words[1]} kind line word
      local -a lines described
      lines=("${(@f)$("${program/#\~/$HOME}" ---complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      kind=$lines[1]
      for line in "${(@)lines[2,-1]}"; do
        word=${line%%$'\t'*}
        described+=("${${word//\\/\\\\}//:/\\:}:${line#*$'\t'}")
      done
      (( $#described )) && _describe -V 'word' described
      [[ -z $kind || $kind == none ]] && return
      compset -P '--*='
      case $kind in
      folders) _files -/ ;;
      files) _files ;;
      *) _files -g "*.(${(j:|:)${=kind#files}})" ;;
      esac
    }
    # A file of fpath is the function itself; otherwise this was read by 'source'.
    if [[ $funcstack[1] == _\#(function) || $funcstack[1] == _\#(program) ]]; then
      _\#(function) "$@"
    else
      compdef _\#(function) \#(program)
    fi

    """#
  }

  private var fish: String {
    #"""
    # Completes the words of \#(program) in fish. The program says what fits.
    function __\#(function)_complete
        set -l words (commandline -opc)
        set -l word (commandline -ct)
        set -l program $words[1]
        set -e words[1]
        set -l lines ($program ---complete $words "$word" 2>/dev/null)
        test (count $lines) -gt 0; or return
        set -l kind (string split ' ' -- $lines[1])
        set -e lines[1]
        test (count $lines) -gt 0; and printf '%s\n' $lines
        set -l lead (string match -r -- '^--[^=]*=' $word)
        set -l path (string replace -r -- '^--[^=]*=' '' $word)
        switch $kind[1]
            case folders
                for file in (__fish_complete_directories "$path" '')
                    echo "$lead$file"
                end
            case files
                set -l endings (string join '|' -- $kind[2..])
                for file in (__fish_complete_path "$path" '')
                    test -z "$endings"; or string match -q -r -- "(/|\.($endings))(\t.*)?\$" $file; or continue
                    echo "$lead$file"
                end
        end
    end
    complete -c \#(program) -f -k -a '(__\#(function)_complete)'

    """#
  }
}
