import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// Days of a route are lines with names.
@Suite struct StageTests {
    @Test func aDayIsALineWithAName() async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] })
        await test.run("let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD")
        let value = try await test.value("route plan $p.A $p.D --name Ridge | route stages --hours 0.5")
        let rows = try #require(value.asRows).collect()
        let features = try GeoFeature.all(of: value)
        #expect(rows.count == 2)
        #expect(features.count == 2)
        for (number, feature) in features.enumerated() {
            guard case .line(let line) = feature.shape else {
                Issue.record("a day is no line")
                return
            }
            #expect(line.count > 1)
            guard case .text(let name)? = feature.field("name") else {
                Issue.record("a day has no name")
                return
            }
            #expect(name.hasPrefix("Ridge, day \(number + 1)"))
        }
    }
}
