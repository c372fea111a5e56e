import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// The known properties of a command before it is built.
struct CommandNameTests {
    @Test func namesAreThoseThatTheCommandsDeclare() async throws {
        let registry = try await TestSession(plugins: builtInPlugins).session.registry
        #expect(registry.names.count > 200)
        for name in registry.names { #expect(registry[name]?.command.spec.name == name) }
    }

    @Test func formerNamesLeadToCommands() async throws {
        let session = try TestSession(plugins: builtInPlugins).session
        let registry = await session.registry
        for (old, new) in await session.formerCommands.sorted(by: { $0.key < $1.key }) {
            #expect(registry[old] == nil, "`\(old)` is a command")
            let words = new.split(separator: " ").prefix(2).map(String.init)
            let isCommand = [words.joined(separator: " "), words[0]].contains { registry[$0] != nil }
            #expect(isCommand, "`\(new)` is no command")
            let failure = try #require(await session.run(old).failure, "`\(old)` runs")
            // The first word of some is a command that takes the second as its argument.
            guard registry[String(old.prefix { $0 != " " })] == nil else { continue }
            #expect(failure.fix?.hasPrefix("it is now `\(new)`") == true)
        }
    }
}
