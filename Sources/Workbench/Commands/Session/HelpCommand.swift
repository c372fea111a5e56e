import PluginKit

/// `help [WORDS]`
struct HelpCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "help" }

    var command: Command {
        Command(
            name, "show a command's help, or search commands",
            details: """
                Words are looked up as a command, then as the first word of commands or the name of a group of commands, then as a function. Other words are a question, in any \
                order: `help convert fit to gpx` lists what is about it, best first. `help commands` returns all commands as rows, `help functions` lists the functions of expressions.
                """,
            .optional("about", .words, "command, group of commands, or word to search for").completing(
                .commands),
            output: .value("text, or rows"), effect: .pure,
            examples: [
                .init("an overview", "help"), .init("a command", "help first"), .init("a word", "help undo"),
                .init("the commands of a group", "help teaching"),
                .init("a question", "help how steep is a route"),
                .init("all functions", "help functions"),
                .init(
                    "all commands as rows", "help commands | where command == clock | get plugin",
                    gives: "host"),
                .init("a function", "help coalesce"),
            ],
            searchTerms: [
                "what can this program do", "what can it do",
                "list all commands", "all commands", "overview", "manual", "keyboard shortcuts",
                "how does this work", "what can i do", "all functions", "commands",
            ]
        ) { context, about in
            let session = try session.get()
            let recorded = await session.recordedEnvironment.width
            let shown = try await page(about, width: context.environment.width)
            guard case .text(let text) = shown, recorded != context.environment.width,
                case .text(let plain) = try await page(about, width: recorded)
            else { return shown }
            await session.record(text, as: plain)
            return shown
        }
    }

    /// Help for columns of a terminal, or for those of a saved notebook.
    private func page(_ about: String?, width: Int) async throws -> Value {
        let session = try session.get()
        let registry = await session.registry
        let pages = HelpPages(registry: registry, width: width)
        guard let about, !about.isEmpty else { return .text(pages.overview) }
        let words = about.split(separator: " ").joined(separator: " ")
        // A function is named as answers name it: `weekday()`.
        let name =
            words.hasSuffix("()") && FunctionPages.page(String(words.dropLast(2))) != nil
            ? String(words.dropLast(2)) : words
        if name == "commands" { return Self.rows(registry) }
        if name == "functions" { return .text(FunctionPages.list(width: width)) }
        let group = registry.entries.filter { $0.command.spec.name.hasPrefix(name + " ") }
        if let entry = group.isEmpty ? registry.meant(name) : registry[name] {
            let page = pages.page(of: entry.command.spec)
            let others = group.isEmpty ? nil : pages.list(group, title: "further commands")
            return .text(
                [page, FunctionPages.page(name), others].compactMap(\.self).joined(separator: "\n\n"))
        }
        if !group.isEmpty { return .text(pages.list(group, title: "\(name): \(group.count) commands")) }
        if let (group, entries) = registry.groups.first(where: { $0.group.rawValue == name }) {
            let list = pages.list(entries, title: "\(group.title): \(entries.count) commands")
            return .text([pages.guide(of: group), list].compactMap(\.self).joined(separator: "\n\n"))
        }
        if let page = FunctionPages.page(name) { return .text(page) }
        // What looks like an entry of the language is no question: it may be incomplete.
        let isQuestion = !name.contains { #"\${}[]()|;"`#"#.contains($0) }
        if isQuestion {
            let search = await session.helpSearch
            let found = search.results(name)
            if !found.isEmpty {
                let unknown = search.unknown(in: name)
                let lacking = unknown.isEmpty ? "" : ", without \(unknown.joined(separator: ", "))"
                return .text(pages.list(found, title: "about `\(name)`\(lacking):"))
            }
        }
        throw SessionErrors.notHelp(
            "no help for `\(name)`", at: .parameter("about"),
            fix: "`help commands` lists all commands",
            suggestion: Suggestion.nearest(to: name, in: registry.names))
    }

    private static func rows(_ registry: CommandRegistry) -> Value {
        .table(
            columns: ["command", "summary", "group", "plugin"],
            cells: registry.groups.flatMap(\.entries).map { entry in
                [
                    .text(entry.command.spec.name), .text(entry.command.spec.summary),
                    .text(entry.group.rawValue),
                    .text(entry.origin),
                ]
            })
    }
}
