import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// Planned routes, which are files.
extension StoreEventTests {
    private static func route(_ number: Int, _ name: String) -> String {
        """
        {"coordinates": [{"latitude": 46.5, "longitude": 7.9}, {"latitude": 46.6, "longitude": 8}],
          "createdAt": "\(start)", "elevationGain": 120, "elevationLoss": 20,
          "endCoordinate": {"latitude": 46.6, "longitude": 8}, "estimatedDuration": 3600, "id": "\(id(number))",
          "mode": "hiking", "name": "\(name)", "startCoordinate": {"latitude": 46.5, "longitude": 7.9},
          "totalDistance": 13500, "turnInstructions": [], "viaPoints": []}
        """
    }

    private func routeFile(_ device: String, _ number: Int) -> URL {
        path(device, "planned_routes/\(Self.id(number)).json")
    }

    private func addRoutes() throws {
        try FileManager.default.createDirectory(
            at: path("phone", "planned_routes"), withIntermediateDirectories: true)
        for number in 1...2 {
            try Data(Self.route(number, "R\(number)").utf8).write(to: routeFile("phone", number))
        }
        try sync("phone", "desk")
    }

    func routes(_ device: String) throws -> [String] {
        try PlannedRouteFolder(path(device, "planned_routes")).routes().map(\.name).sorted()
    }

    @Test(arguments: [
        Data(), Data(count: 700), Data(#"{"hello": 1}"#.utf8), Data(route(1, "Cut").utf8.prefix(300)),
        Data("[]".utf8), Data(route(2, "Of another").utf8),
        Data(route(1, "Nowhere").replacing("\"latitude\": 46.6", with: "\"latitude\": 466").utf8),
        Data(
            route(1, "Without its line").replacing(
                #"[{"latitude": 46.5, "longitude": 7.9}, {"latitude": 46.6, "longitude": 8}]"#, with: "[]"
            ).utf8),
    ])
    func whatIsNoRouteReplacesNone(_ bytes: Data) throws {
        try addRoutes()
        try bytes.write(to: routeFile("phone", 1))
        try sql("phone", Self.insertion(4))
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R1", "R2"])
        #expect(try texts("desk").count == 4)
        // A newer version from elsewhere waits, and the file is left as it is.
        try Data(Self.route(1, "Newer").utf8).write(to: routeFile("desk", 1))
        try sync("desk", "phone", "desk")
        #expect(try Data(contentsOf: routeFile("phone", 1)) == bytes)
        #expect(try routes("desk") == ["Newer", "R2"])
        let store = try open("phone")
        _ = try store.changedKeys()
        let key = try #require(try store.setAside().compactMap(\.key).first)
        #expect(try store.takeBack(key))
        try sync("phone", "desk")
        #expect(try routes("phone") == ["Newer", "R2"])
        #expect(try routes("desk") == ["Newer", "R2"])
    }

    /// A disk that was full when the folder got its mark: the folder is known again also after another store got a later one.
    @Test func aMarkThatWasNotWritten() throws {
        struct Full: Error {}
        try addRoutes()
        try Data(Self.route(1, "Edited").utf8).write(to: routeFile("phone", 1))
        try sql("phone", "UPDATE waypoints SET note = 'one' WHERE id = '\(Self.id(1))'")
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        let failing = try FolderStore(
            path("phone"), device: 1, now: Self.now, willChangeFile: { throw Full() })
        #expect(throws: (any Error).self) { _ = try failing.sync(.now, with: cloud) }
        try sync("phone")
        try sql("phone", "UPDATE waypoints SET note = 'two' WHERE id = '\(Self.id(1))'")
        try sync("phone")
        // The folder is the known one: what is missing was deleted.
        for number in 1...2 { try FileManager.default.removeItem(at: routeFile("phone", number)) }
        try sync("phone", "desk")
        #expect(try routes("desk") == [])
        #expect(try texts("desk")[0] == "two")
    }

    /// A process that ended after it remembered the folder and before it marked it: the folder is known again, and what is missing
    /// was deleted.
    @Test func theFirstMarkThatWasNotWritten() throws {
        struct Full: Error {}
        try FileManager.default.createDirectory(
            at: path("phone", "planned_routes"), withIntermediateDirectories: true)
        try Data(Self.route(1, "Only").utf8).write(to: routeFile("phone", 1))
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        var writes = 0
        do {
            let failing = try FolderStore(
                path("phone"), device: 1, now: Self.now,
                willChangeFile: {
                    writes += 1
                    if writes > 1 { throw Full() }
                })
            #expect(throws: (any Error).self) { _ = try failing.sync(.now, with: cloud) }
        }
        #expect(writes == 2)
        try FileManager.default.removeItem(at: routeFile("phone", 1))
        try sync("phone", "desk")
        #expect(try routes("desk") == [])
        let store = try open("phone")
        _ = try store.changedKeys()
        #expect(try store.setAside().isEmpty)
        #expect(
            try store.durableStates().filter { $0.key.type == .plannedRoute }.allSatisfy(
                \.state.local.isDeleted))
    }

    /// A file in the place of the folder, or a folder in that of a store, holds up no other store.
    @Test(arguments: ["planned_routes", "waypoints.db"])
    func anotherKindOfFile(_ name: String) throws {
        try addRoutes()
        let place = path("phone", name)
        try FileManager.default.removeItem(at: place)
        if name == "waypoints.db" {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(Self.route(1, "Edited").utf8).write(to: routeFile("phone", 1))
        } else {
            try Data("x".utf8).write(to: place)
            try sql("phone", "UPDATE waypoints SET note = 'edited' WHERE id = '\(Self.id(1))'")
        }
        try sync("phone", "desk")
        #expect(try routes("desk") == (name == "waypoints.db" ? ["Edited", "R2"] : ["R1", "R2"]))
        #expect(try texts("desk")[0] == (name == "waypoints.db" ? "note 1" : "edited"))
        let store = try open("phone")
        _ = try store.changedKeys()
        #expect(try store.setAside().map(\.place) == [name])
    }

    @Test func anEvictedFileIsNotDeleted() throws {
        try addRoutes()
        try FileManager.default.moveItem(
            at: routeFile("phone", 1), to: path("phone", "planned_routes/.\(Self.id(1)).json.icloud"))
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R1", "R2"])
        #expect(try routes("phone") == ["R2"])
    }

    /// A file that got another name, as from a file manager or a conflict, still holds the route.
    @Test(arguments: ["My walk.json", "\(id(1)).json.gz", "\(id(1)).old", "2026/\(id(1)).json"])
    func aRenamedFileIsNotDeleted(_ name: String) throws {
        try addRoutes()
        let target = path("phone", "planned_routes/\(name)")
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: routeFile("phone", 1), to: target)
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R1", "R2"])
        let store = try open("phone")
        for key in try store.changedKeys() { _ = try store.obstacle(key) }
        #expect(try store.setAside().contains { $0.why.hasPrefix("its file is named \(name) now") })
    }

    /// A picture or an export that is named after its route is not the route: what is deleted is deleted.
    @Test(arguments: [("jpg", Data([0xFF, 0xD8, 0xFF, 0xE0])), ("gpx", Data("<gpx>".utf8))])
    func aPictureNamedAsARoute(_ ending: String, _ content: Data) throws {
        try addRoutes()
        try FileManager.default.removeItem(at: routeFile("phone", 1))
        try content.write(to: path("phone", "planned_routes/\(Self.id(1)).\(ending)"))
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R2"])
    }

    /// What is found only when a missing file is looked for is listed, too.
    @Test func aRenamedFileIsListed() throws {
        try addRoutes()
        try FileManager.default.moveItem(
            at: routeFile("phone", 1), to: path("phone", "planned_routes/\(Self.id(1)).old"))
        let store = try open("phone")
        try store.findAside()
        #expect(try store.setAside().compactMap(\.key?.name.text) == [Self.id(1)])
    }

    /// Of a key that is there twice programs show the first or the last value: neither is sent.
    @Test func aKeyThatIsThereTwice() throws {
        try addRoutes()
        let text = Self.route(1, "R1").replacing("\"mode\"", with: "\"name\": \"Other\", \"mode\"")
        try Data(text.utf8).write(to: routeFile("phone", 1))
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R1", "R2"])
        let store = try open("phone")
        try store.findAside()
        #expect(try store.setAside().map(\.why).contains { $0.contains("the key `name` twice") })
        let read = try PlannedRouteFolder(path("phone", "planned_routes")).routes()
        #expect(read.flatMap(\.doubts).first?.contains("the key `name` twice") == true)
    }

    /// The file that was unreadable, and that a sync put aside, is not the route: what is deleted later is deleted.
    @Test func aFileThatWasPutAsideHoldsNoRoute() throws {
        try addRoutes()
        try FileManager.default.moveItem(
            at: routeFile("phone", 1), to: path("phone", "planned_routes/\(Self.id(1)).json.unreadable"))
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R2"])
    }

    @Test(arguments: [true, false]) func aMissingFolderDeletesNothing(_ isEmpty: Bool) throws {
        try addRoutes()
        try FileManager.default.removeItem(at: path("phone", "planned_routes"))
        if isEmpty {
            try FileManager.default.createDirectory(
                at: path("phone", "planned_routes"), withIntermediateDirectories: true)
        }
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R1", "R2"])
        #expect(
            try open("phone").answer(
                .plannedRoute, bringsBack: true, now: Self.now.milliseconds, rule: .merge) == 2)
        #expect(try routes("phone") == ["R1", "R2"])
        try sync("phone", "desk")
        #expect(try routes("desk") == ["R1", "R2"])
    }

    @Test func anOlderFolderRevertsNothing() throws {
        try addRoutes()
        let copy = folder.url.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: path("phone", "planned_routes"), to: copy)
        try Data(Self.route(1, "Newer").utf8).write(to: routeFile("phone", 1))
        try Data(Self.route(3, "R3").utf8).write(to: routeFile("phone", 3))
        try FileManager.default.removeItem(at: routeFile("phone", 2))
        try sync("phone", "desk")
        try FileManager.default.removeItem(at: path("phone", "planned_routes"))
        try FileManager.default.moveItem(at: copy, to: path("phone", "planned_routes"))
        try sync("phone", "desk")
        #expect(try routes("desk") == ["Newer", "R3"])
        #expect(try routes("phone") == ["Newer", "R3"])
    }

    @Test func aDeletedRouteIsDeleted() throws {
        try addRoutes()
        try FileManager.default.removeItem(at: routeFile("phone", 1))
        try FileManager.default.removeItem(at: routeFile("phone", 2))
        try sync("phone", "desk")
        #expect(try routes("desk") == [])
    }
}
