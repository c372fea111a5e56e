import PluginKit

/// `help [WORDS]`
struct HelpCommand: LegacyCommand {
    let session: SessionHandle
    private static let about = Parameter.optional(
        "about", .words, "a command, a group of commands, or any word"
    )
    .completing(.commands)

    let spec = CommandSpec(
        "help", "explains a command, or finds commands", parameters: [about.spec], output: .value("text"),
        effect: .pure,
        examples: [
            .init("an overview", "help"), .init("a command", "help first"), .init("a word", "help undo"),
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let registry = try await session.get().registry
        let pages = HelpPages(registry: registry, width: context.environment.width)
        guard let about = try arguments[Self.about], !about.isEmpty else { return .text(pages.overview) }
        let name = about.split(separator: " ").joined(separator: " ")
        if let entry = registry[name] { return .text(pages.page(of: entry.command.spec)) }
        let group = registry.entries.filter { $0.command.spec.name.hasPrefix(name + " ") }
        if !group.isEmpty { return .text(pages.list(group, title: "\(name): \(group.count) commands")) }
        let found = pages.search(name)
        if !found.isEmpty { return .text(pages.list(found, title: "about `\(name)`:")) }
        throw SessionErrors.notHelp(
            "there is no help about `\(name)`", at: .parameter("about"), fix: "`commands` lists all commands",
            suggestion: Suggestion.nearest(to: name, in: registry.names))
    }
}
