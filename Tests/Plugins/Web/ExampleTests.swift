import PluginTestKit
import Testing
import WebPlugin

struct WebExampleTests {
    @Test func examplesPass() async {
        let failures = await ExampleRunner.failures { [WebPlugin()] }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
