import PluginTestKit
import Testing

@testable import TransitPlugin

/// Every example of every command prints its expected output.
@Suite struct ExampleTests {
    @Test func examples() async {
        let failures = await ExampleRunner.failures { [TransitPlugin()] }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
    }
}
