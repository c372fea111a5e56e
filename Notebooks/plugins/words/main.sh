#!/usr/bin/env bash
# A plugin in bash, without a kit: it extracts what it needs from each line with sed.
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
refuse() {
    printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"%s","data":{"code":"%s","argument":"%s"}}}\n' \
        "$id" "$1" "$2" "$3" "$4"
}
declaration='{"name":"words","version":"1.0","commands":[{"name":"words count","summary":"count the words of a text",
"parameters":[{"name":"text","type":"text","summary":"the text"}],"gives":"number","effect":"pure",
"examples":[{"title":"three","line":"words count '"'over the pass'"'","gives":"3"}]}]}'
while IFS= read -r line; do
    id=$(sed -nE 's/^\{"jsonrpc":"2.0","id":([0-9]+).*/\1/p' <<< "$line")
    method=$(sed -nE 's/^[^m]*"method":"([a-z-]+)".*/\1/p' <<< "$line")
    [ -n "$id" ] || continue
    case $method in
    initialize) answer "$(tr -d '\n' <<< "$declaration")" ;;
    run)
        text=$(sed -nE 's/.*"text":"(([^"\\]|\\.)*)".*/\1/p' <<< "$line")
        if [ -z "${text// /}" ]; then refuse -32000 "there are no words" E-WORDS-NONE text; continue; fi
        answer "{\"value\":$(wc -w <<< "$text" | tr -d ' ')}"
        ;;
    complete) answer '{"candidates":[]}' ;;
    shutdown) answer null; exit 0 ;;
    *) refuse -32601 "no such method" E-WORDS-METHOD "" ;;
    esac
done
