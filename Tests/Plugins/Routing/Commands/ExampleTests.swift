import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Every example of every command shows what it says.
@Suite struct ExampleTests {
    @Test(arguments: RoutingPlugin().commands.map(\.spec.name))
    func examples(of name: String) async throws {
        let spec = try #require(RoutingPlugin().commands.map(\.spec).first { $0.name == name })
        #expect(!spec.examples.isEmpty)
        for example in spec.examples {
            let session = try TestSession(plugins: { [RoutingPlugin()] })
            for line in example.setup {
                let result = await session.result(line)
                #expect(result.failure == nil, "\(name), setup: \(result.text)")
            }
            let result = await session.result(example.line)
            #expect(result.failure == nil, "\(name): \(result.text)")
            if let output = example.output { #expect(result.output == output, "\(name): \(example.line)") }
        }
    }
}
