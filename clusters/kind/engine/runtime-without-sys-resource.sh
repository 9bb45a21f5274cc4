#!/bin/sh
# An OCI runtime for machines whose root may not have CAP_SYS_RESOURCE. The engine asks for every capability there is for
# a privileged container, and runc refuses the whole container for the one that can't be had. It stands in the bundle's
# config.json when a container is created, and in the file after --process when a program is started in one.
# sed and not a JSON parser: this runs at every exec, and the engine writes compact JSON.
command='' bundle=. process='' previous=''
for word in "$@"; do
  case "$word" in create | run | exec) [ -n "$command" ] || command=$word ;; esac
  case "$previous" in
    --bundle | -b) bundle=$word ;;
    --process | -p) process=$word ;;
  esac
  previous=$word
done
case "$command" in
  create | run) file=$bundle/config.json ;;
  exec) file=$process ;;
  *) file='' ;;
esac
# Only beside other capabilities or alone in a list: a program's argument of this name stays.
[ -z "$file" ] || sed -i \
  -e 's/"CAP_SYS_RESOURCE",\("CAP_\)/\1/g' \
  -e 's/\("CAP_[A-Z_]*"\),"CAP_SYS_RESOURCE"\]/\1]/g' \
  -e 's/:\["CAP_SYS_RESOURCE"\]/:[]/g' \
  "$file" || exit 1
exec runc "$@"
