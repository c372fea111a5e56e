import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// What a session knows of a command before it makes it.
struct CommandNameTests {
    @Test func namesAreThoseThatTheCommandsDeclare() async throws {
        let registry = try await TestSession(plugins: builtInPlugins).session.registry
        #expect(registry.names.count > 200)
        for name in registry.names { #expect(registry[name]?.command.spec.name == name) }
    }
}
