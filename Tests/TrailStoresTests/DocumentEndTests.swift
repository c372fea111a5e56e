import Core
import Foundation
import PluginTestKit
import Testing

@testable import TrailStores

/// A text of JSON with a fault: that its end is missing is said only if it is.
@Suite struct DocumentEndTests {
    @Test(arguments: [
        (#"[{"id": 1}"#, true), (#"{"a": [{"b": 1}"#, true), (#"[{"id": "x"#, true),
        (#"[{"id": tru}] // a"#, false), (#"[{"id": "x}]"#, false), (#"[{"id": "]"} 1]"#, false),
    ])
    func anEarlyEndIsSaidOnlyOfOne(text: String, isEarly: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.json")
        try Data(text.utf8).write(to: url)
        let error = #expect(throws: RutterError.self) { try DocumentFiles(url) }
        #expect(error?.message.contains("ends early") == isEarly)
    }
}
