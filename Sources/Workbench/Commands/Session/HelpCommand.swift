import PluginKit

/// `help [WORDS]`
struct HelpCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "help" }

    var command: Command {
        Command(
            name, "show a command's help, or search commands",
            .optional("about", .words, "command, group of commands, or word to search for").completing(
                .commands),
            output: .value("text"), effect: .pure,
            examples: [
                .init("an overview", "help"), .init("a command", "help first"), .init("a word", "help undo"),
                .init("all functions", "help functions"), .init("a function", "help coalesce"),
            ]
        ) { context, about in
            let registry = try await session.get().registry
            let pages = HelpPages(registry: registry, width: context.environment.width)
            guard let about, !about.isEmpty else { return .text(pages.overview) }
            let name = about.split(separator: " ").joined(separator: " ")
            if name == "functions" { return .text(FunctionPages.list(width: context.environment.width)) }
            if let entry = registry[name] {
                let page = pages.page(of: entry.command.spec)
                return .text([page, FunctionPages.page(name)].compactMap(\.self).joined(separator: "\n\n"))
            }
            let group = registry.entries.filter { $0.command.spec.name.hasPrefix(name + " ") }
            if !group.isEmpty { return .text(pages.list(group, title: "\(name): \(group.count) commands")) }
            if let page = FunctionPages.page(name) { return .text(page) }
            let found = pages.search(name)
            if !found.isEmpty { return .text(pages.list(found, title: "about `\(name)`:")) }
            throw SessionErrors.notHelp(
                "no help for `\(name)`", at: .parameter("about"),
                fix: "`commands` lists all commands",
                suggestion: Suggestion.nearest(to: name, in: registry.names))
        }
    }
}
