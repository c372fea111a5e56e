import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Helpers shared by the tests of stores.
enum Fixture {
    static let id = identifier("6F9619FF-8B86-D011-B42D-00C04FC964FF")
    static let other = identifier("1B671A64-40D5-491E-99B0-DA01FF1F3341")
    static let moment = Timestamp(milliseconds: 1_770_365_730_123)

    static func identifier(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID() }

    static func waypoint(
        _ latitude: Double = 46.5763, _ longitude: Double = 7.9904, id: UUID = id, label: String = "Hut",
        at moment: Timestamp = moment
    ) -> Waypoint {
        Waypoint(
            id: id, coordinate: Coordinate(latitude: latitude, longitude: longitude, altitude: 1973),
            timestamp: moment, label: label, rawCategory: "shelter", note: "closed in winter")
    }

    /// Makes a database with SQL of a test, as another program would.
    static func database(_ url: URL, _ sql: String) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
    }

    /// Every file below a folder with its bytes, to see that nothing changed.
    static func content(_ folder: URL) throws -> [String: Data] {
        var content: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            content[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return content
    }
}

/// The code of the error that a body throws; `nil` when it throws none.
func codeThrown(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as RutterError {
        return error.code
    } catch {
        return "another error: \(error)"
    }
}

/// The message of the error that a body throws.
func messageThrown(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as RutterError {
        return error.message
    } catch {
        return "another error: \(error)"
    }
}
