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
}
