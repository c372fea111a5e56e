/// The completions for bash: those of the program's own arguments, the commands of the language, and files wherever neither is meant.
enum BashCompletion {
    /// The line with which the script of the argument parser ends.
    private static let ending = "complete -o filenames -F _rutter rutter"

    /// The whole script, with the commands' names.
    static func script(_ own: String, commands: [String]) -> String {
        let groups = Dictionary(grouping: commands.filter { $0.contains(" ") }) {
            String($0.prefix { $0 != " " })
        }
        let first = Set(commands.map { String($0.prefix { $0 != " " }) }).sorted().joined(separator: " ")
        let cases = groups.sorted { $0.key < $1.key }.map { name, members in
            let words = members.map { String($0.dropFirst(name.count + 1)) }.joined(separator: " ")
            return "        \(name)) words='\(words)' ;;"
        }
        return own.replacing(
            ending,
            with: """
                # Commands of the language, and files where nothing else is meant.
                _rutter_language() {
                    _rutter "$@"
                    local words=''
                    if [ "$COMP_CWORD" -eq 1 ]; then
                        words='\(first)'
                    elif [ "$COMP_CWORD" -eq 2 ]; then
                        case "${COMP_WORDS[1]}" in
                \(cases.joined(separator: "\n"))
                        esac
                    fi
                    COMPREPLY+=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
                }
                complete -o default -o filenames -F _rutter_language rutter
                """)
    }
}
