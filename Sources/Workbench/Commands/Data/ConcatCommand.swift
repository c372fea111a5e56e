import PluginKit

/// `concat SEPARATOR`
struct ConcatCommand: CommandProvider {
    var name: String { "concat" }

    var command: Command {
        Command(
            name, "join the values of a list into one text",
            .positional("separator", .text, default: ", ", "text between two values"),
            input: .rows([]), output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "names", "$huts | get name | concat '; '", after: [DataCommands.huts],
                    gives: "Illa; Sorteny; Perafita")
            ],
            searchTerms: ["str join", "concatenate texts", "implode", "with commas", "comma separated names"]
        ) { input, context, separator in
            var text = ""
            var isFirst = true
            try Rows(input, for: "concat").forEach { row in
                if row.fieldNames?.isEmpty == false {
                    throw DataErrors.whichField(
                        "`concat` joins plain values", fix: "choose a field first: … | get FIELD | concat")
                }
                if !isFirst { text += separator }
                isFirst = false
                text += ValueText.inline(
                    row, timeZone: context.environment.timeZone, units: context.environment.units)
                guard text.utf8.count <= Arithmetic.longestText else {
                    throw LanguageErrors.type("the text is longer than \(Arithmetic.longestText >> 20) MiB")
                }
            }
            return .text(text)
        }
    }
}
