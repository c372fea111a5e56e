import GuidancePlugin
import PluginTestKit
import Testing

@Suite struct GuidanceExampleTests {
    @Test func everyExampleDoesWhatItSays() async {
        let failures = await ExampleRunner.failures(of: { [GuidancePlugin()] })
        #expect(failures.isEmpty, Comment(rawValue: failures.joined(separator: "\n\n")))
    }
}
