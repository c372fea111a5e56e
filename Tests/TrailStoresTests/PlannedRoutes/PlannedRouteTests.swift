import CivilTime
import Core
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import TrailStores

/// Expected texts: the key list of the store's page, and the layout of Foundation's own encoder.
@Suite struct PlannedRouteTests {
    @Test func writesExactlyTheKeysOfTheStore() throws {
        let text = String(decoding: PlannedRouteJSON.data(Self.small), as: UTF8.self)
        #expect(
            text == """
                {
                  "coordinates" : [
                    {
                      "latitude" : 47.1,
                      "longitude" : 9.5
                    },
                    {
                      "latitude" : 47.2,
                      "longitude" : 9.5
                    }
                  ],
                  "createdAt" : "2026-02-06T08:15:30Z",
                  "elevationGain" : 12,
                  "elevationLoss" : 3.5,
                  "endCoordinate" : {
                    "latitude" : 47.2,
                    "longitude" : 9.5
                  },
                  "estimatedDuration" : 7200,
                  "id" : "1F3C09AA-0000-4000-8000-0000000000AB",
                  "mode" : "hiking",
                  "name" : "Up",
                  "startCoordinate" : {
                    "latitude" : 47.1,
                    "longitude" : 9.5
                  },
                  "totalDistance" : 11119.5,
                  "turnInstructions" : [
                    {
                      "bearing" : 0,
                      "coordinate" : {
                        "latitude" : 47.1,
                        "longitude" : 9.5
                      },
                      "cumulativeDistance" : 0,
                      "description" : "Head north",
                      "direction" : "start",
                      "distanceFromPrevious" : 0
                    }
                  ],
                  "viaPoints" : [

                  ]
                }
                """)
    }

    @Test func everyPartComesBack() throws {
        var route = Self.small
        route.via = [Coordinate(latitude: 47.15, longitude: 9.51)]
        route.regionID = "liechtenstein"
        route.profile = [ElevationPoint(distance: 0, elevation: 450), .init(distance: 10, elevation: 455.5)]
        route.modifiedAt = route.createdAt.advanced(bySeconds: 60)
        route.cloudKitRecordID = "abc"
        route.turns[0].trailName = "Fürstensteig"
        #expect(try PlannedRouteJSON.route(PlannedRouteJSON.data(route)) == route)
        route.warnings = ["3 km of grade T4, the limit"]
        #expect(try PlannedRouteJSON.route(PlannedRouteJSON.data(route)) == route)
    }

    @Test func readsFractionsAndLowerCaseIdentifiers() throws {
        let data = PlannedRouteJSON.data(Self.small)
        let text = String(decoding: data, as: UTF8.self)
            .replacing("08:15:30Z", with: "08:15:30.250Z").replacing("1F3C09AA", with: "1f3c09aa")
        let route = try PlannedRouteJSON.route(Data(text.utf8))
        #expect(route.createdAt == Self.small.createdAt.advanced(bySeconds: 0.25))
        #expect(route.id == Self.small.id)
    }

    @Test func damagedFilesAreListedAndKept() throws {
        let folder = try TemporaryRoutes()
        defer { folder.remove() }
        try folder.store.save(Self.small)
        try folder.write("broken.json", "{\"id\": 1")
        try folder.write("half.json", "{\"name\": \"x\"}")
        try folder.write("wrong.json", text(replacing: "hiking", with: "flying"))
        try folder.write("notes.txt", "not a route")
        let entries = try folder.store.entries()
        #expect(
            entries.map(\.url.lastPathComponent).dropFirst() == ["broken.json", "half.json", "wrong.json"])
        #expect(entries[0].route == Self.small)
        #expect(entries[2].error?.message == "line 1, column 1: missing key `id`")
        #expect(entries[1].error?.message == "line 1, column 9: expected `,` or `}`")
        let mode = try #require(entries[3].error?.message)
        #expect(mode.hasSuffix("column 12: $.mode: `flying` is not a known value"))
        #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("broken.json").path))
    }

    @Test func renamingLeavesUnknownKeysAlone() throws {
        let folder = try TemporaryRoutes()
        defer { folder.remove() }
        let id = Self.small.id
        try folder.write(
            "\(id.uuidString.lowercased()).json",
            text(replacing: "\"mode\"", with: "\"shared\" : {\"by\" : [1, 2.5, null]}, \"mode\""))
        _ = try folder.store.rename(id, to: "Down", at: Self.small.createdAt)
        let file = try #require(try folder.store.file(of: id))
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text.contains("\"shared\""))
        #expect(text.contains("2.5"))
        let route = try #require(try folder.store.routes().first)
        #expect(route.name == "Down")
        #expect(route.modifiedAt == Self.small.createdAt)
        #expect(route.coordinates == Self.small.coordinates)
    }

    @Test func deletingGivesBackTheBytes() throws {
        let folder = try TemporaryRoutes()
        defer { folder.remove() }
        try folder.store.save(Self.small)
        let bytes = try folder.store.delete(Self.small.id)
        #expect(try folder.store.entries().isEmpty)
        try folder.store.restore(bytes, of: Self.small.id)
        #expect(try folder.store.routes() == [Self.small])
        #expect(throws: PlannedRouteError.self) { _ = try folder.store.delete(UUID(uuid: UUID_NULL)) }
    }

    @Test func newestFirst() throws {
        let folder = try TemporaryRoutes()
        defer { folder.remove() }
        for (index, name) in ["first", "third", "second"].enumerated() {
            var route = Self.small
            route.id = try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(index)"))
            route.name = name
            route.createdAt = route.createdAt.advanced(bySeconds: [0, 120, 60][index])
            try folder.store.save(route)
        }
        #expect(try folder.store.routes().map(\.name) == ["third", "second", "first"])
    }

    /// What is impossible is no route, and is said; the file stays.
    @Test(arguments: [
        ("\"totalDistance\" : 11119.5", "\"totalDistance\" : -5", "totalDistance is -5, which is impossible"),
        ("\"latitude\" : 47.2", "\"latitude\" : 472", "which is not on Earth"),
    ])
    func whatIsImpossibleIsNoRoute(_ old: String, _ new: String, _ why: String) throws {
        let folder = try TemporaryRoutes()
        defer { folder.remove() }
        try folder.write("\(Self.small.id.uuidString).json", text(replacing: old, with: new))
        let entry = try #require(try folder.store.entries().first)
        #expect(entry.error?.message.contains(why) == true)
    }

    /// The names of its files tell what a folder holds of which no file can be read.
    @Test func aFolderOfUnreadableRoutes() throws {
        let folder = try TemporaryRoutes()
        defer { folder.remove() }
        try folder.write("\(Self.small.id.uuidString).json", text(replacing: "\"Up\",", with: "\"Up\",,"))
        let documents = try DocumentFiles(folder.url)
        #expect(documents.recognition.kind == .plannedRoutes)
        #expect(documents.recognition.reason == "1 file named as routes, none of which can be read")
        try FileManager.default.moveItem(
            at: folder.url.appendingPathComponent("\(Self.small.id.uuidString).json"),
            to: folder.url.appendingPathComponent("notes.json"))
        let error = #expect(throws: RutterError.self) { try DocumentFiles(folder.url) }
        #expect(error?.message.contains("contains no planned routes: notes.json: line") == true)
    }

    private func text(replacing old: String, with new: String) -> String {
        String(decoding: PlannedRouteJSON.data(Self.small), as: UTF8.self).replacing(old, with: new)
    }

    static let small: PlannedRoute = {
        let from = Coordinate(latitude: 47.1, longitude: 9.5)
        let to = Coordinate(latitude: 47.2, longitude: 9.5)
        return PlannedRoute(
            id: UUID(uuidString: "1F3C09AA-0000-4000-8000-0000000000AB") ?? UUID(uuid: UUID_NULL),
            name: "Up", mode: .hiking, start: from, end: to, coordinates: [from, to],
            turns: [
                TurnInstruction(
                    coordinate: from, direction: .start, bearing: 0, distanceFromPrevious: 0,
                    cumulativeDistance: 0, trailName: nil, description: "Head north")
            ], distance: 11119.5, duration: 7200, gain: 12, loss: 3.5,
            createdAt: Timestamp(milliseconds: 1_770_365_730_000))
    }()
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

private struct TemporaryRoutes {
    let url: URL
    var store: PlannedRouteFolder { PlannedRouteFolder(url) }

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("routes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
