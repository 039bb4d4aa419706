# Prints what bash offers: bash complete.bash PROGRAM LINE, with the cursor at the end of the line.
source "/usr/share/bash-completion/completions/$1"
COMP_LINE=$2 COMP_POINT=${#2}
# Divided as bash divides a line.
read -r -a words <<<"$(sed -E 's/([=:])/ \1 /g' <<<"$2")"
[[ $2 != *' ' ]] || words+=('')
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
"_${1//-/_}" "$1" "${COMP_WORDS[COMP_CWORD]}"
printf '%s\n' "${COMPREPLY[@]}"
