import PluginKit
import PluginTestKit
import Testing

@testable import rutter

/// The words by which `help WORDS` finds commands.
@Suite struct SearchTermTests {
    @Test func noCommandRepeatsASearchTerm() async throws {
        for spec in try await TestSession(plugins: builtInPlugins).session.registry.entries.map(
            \.command.spec)
        {
            let repeated = Dictionary(grouping: spec.searchTerms) { $0 }.filter { $0.value.count > 1 }.keys
            #expect(repeated.isEmpty, "\(spec.name)")
        }
    }
}
