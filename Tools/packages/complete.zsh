# Prints what an interactive zsh makes of a line when Tab is pressed: zsh complete.zsh LINE
zmodload zsh/zpty
zpty shell env TERM=dumb zsh -f -i
zpty -w shell 'PS1= RPS1=; autoload -Uz compinit && compinit -u -D
show() { print -r -- "LINE<$BUFFER>" }; zle -N show; bindkey "^X" show; print REA""DY'
zpty -r -m shell seen '*READY*'
zpty -w -n shell "$1"$'\t\x18'
zpty -r -m shell seen '*LINE<*>*'
print -r -- "${seen##*LINE<}"
zpty -d shell
