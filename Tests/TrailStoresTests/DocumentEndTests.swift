import Core
import Foundation
import PluginTestKit
import Testing

@testable import TrailStores

/// A text of JSON with a fault: that its end is missing is said only if it is.
@Suite struct DocumentEndTests {
    /// A folder without a store says what stands for one.
    @Test func whatStandsForAStore() throws {
        func message(_ name: String, _ make: (URL) throws -> Void) throws -> String {
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("app/Documents")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try make(url.appendingPathComponent(name))
            let app = folder.url.appendingPathComponent("app")
            return #expect(throws: RutterError.self) { try DocumentFiles(app) }?.message ?? ""
        }
        let evicted = try message(".waypoints.db.icloud") { try Data("bplist00".utf8).write(to: $0) }
        #expect(evicted == "Documents/waypoints.db in app is in the system's cloud and not on this device")
        let link = try message("routes.db") {
            try FileManager.default.createSymbolicLink(atPath: $0.path, withDestinationPath: "/nowhere/r.db")
        }
        #expect(link == "Documents/routes.db in app is a link to /nowhere/r.db, which is not there")
        let journal = try message("w.db-journal") { try Data(count: 512).write(to: $0) }
        #expect(journal == "app has Documents/w.db-journal, but not its database Documents/w.db")
        let folder = try message("trip-journal") {
            try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
        }
        #expect(!folder.contains("database trip"))
    }

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
