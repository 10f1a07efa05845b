#!/bin/sh
# The smallest bot in POSIX shell: plays any game, always the first legal action.
# The host writes compact JSON with its keys in a fixed order, so that cutting texts is enough.
while IFS= read -r line; do
    case $line in
        '{"type":"hello"'*)
            echo '{"type":"ready","protocol":1,"name":"first in shell"}'
            ;;
        '{"type":"decide"'*)
            action=${line##*\"legal\":\[\{\"action\":}
            action=${action%%[!0-9]*}
            echo "{\"type\":\"action\",\"action\":$action}"
            ;;
    esac
done
