# For the check scripts of the examples: programs with a live list in their terminal, driven line by line.
# A script sources it, sets `place` to a folder of its own, and starts each window once.

declare -A window_process window_input

fail() {
  printf 'check: %s\n' "$*" >&2
  for name in "${!window_process[@]}"; do
    printf -- '-- %s showed at last:\n%s\n' "$name" "$(page "$name")" >&2
  done
  exit 1
}

# Makes a subshell a program, with nothing of this machine's own. A window's input ends only when no other process
# holds its other end.
become() {
  local input
  for input in "${window_input[@]}"; do exec {input}>&-; done
  exec env -i PATH="$PATH" HOME="$place" "$@"
}

# Starts a program as a window: start NAME PROGRAM ARGUMENTS…
start() {
  local name=$1 input
  shift
  rm -f "$place/$name.in"
  mkfifo "$place/$name.in"
  (become "$@") <"$place/$name.in" >>"$place/$name.out" 2>&1 &
  window_process[$name]=$!
  exec {input}>"$place/$name.in"
  window_input[$name]=$input
}

# Types a line into a window.
types() { printf '%s\n' "$2" >&"${window_input[$1]}"; }

# Ends a window's input, and waits for the program.
finish() {
  local input=${window_input[$1]} status=0
  exec {input}>&-
  unset "window_input[$1]"
  wait "${window_process[$1]}" || status=$?
  ((status == 0)) || fail "$1 ended with $status"
}

# The newest page of a window, and what was said below it.
page() { awk '/^----$/ { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }' "$place/$1.out"; }

# Waits until a window has said a text, at most a minute.
says() {
  local deadline=$((SECONDS + 60))
  until grep -qF -- "$2" "$place/$1.out"; do
    ((SECONDS < deadline)) || fail "$1 does not say '$2'"
    sleep 0.05
  done
}

# Waits until the newest page of a window has every one of these texts, at most a minute.
shows() {
  local name=$1 text deadline=$((SECONDS + 60)) now missing
  shift
  while :; do
    now=$(page "$name")
    missing=
    for text in "$@"; do [[ $now == *"$text"* ]] || missing=$text; done
    [[ -n $missing ]] || return 0
    kill -0 "${window_process[$name]}" 2>"/dev/null" || fail "$name has ended, and does not show '$missing'"
    ((SECONDS < deadline)) || fail "$name does not show '$missing'"
    sleep 0.05
  done
}

# Fails if the newest page of a window has a text.
hides() {
  [[ $(page "$1") != *"$2"* ]] || fail "$1 shows '$2'"
}

# Ends what still runs, and removes the folder.
clean_up() {
  local name
  for name in "${!window_process[@]}"; do kill "${window_process[$name]}" 2>"/dev/null" || true; done
  wait
  rm -rf "$place"
}
