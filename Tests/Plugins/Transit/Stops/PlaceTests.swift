import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin
@testable import Workbench

/// Stops are offered to the search of places.
@Suite struct PlaceTests {
    private let plugin = TransitPlugin()

    private func names(
        _ text: String, near: Coordinate? = nil, radius: Double? = nil, limit: Int = 5, in test: TestSession
    ) async throws -> [PlaceMatch] {
        let stops = try #require(plugin.capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        return try await stops.places(
            matching: PlaceQuery(PlaceWords(text), near: near, radius: radius, limit: limit), context: context
        )
    }

    @Test func stopsAreFound() async throws {
        let test = try TestSession(plugins: { [TransitPlugin()] })
        #expect(try await names("uni", in: test).isEmpty, "without a timetable there are none")
        await test.run("feed sample")
        await test.run("feed import harbour")
        let found = try await names("UNIVERSITAT", in: test)
        #expect(found.first?.name == "Universität")
        // A station stands for its platforms, which have the same name.
        let central = try await names("central", limit: 50, in: test)
        #expect(central.filter { $0.kind == "station" }.count == 1)
        let place = try #require(found.first).coordinate
        let around = try await names("u", near: place, radius: 50, in: test)
        #expect(around.map(\.name) == ["Universität"])
        #expect(try await names("nowhere at all", in: test).isEmpty)
    }

    /// An identifier means its stop, although the names of others have the same words.
    @Test func identifiers() async throws {
        let test = try TestSession(plugins: { [TransitPlugin()] })
        await test.run("feed sample")
        await test.run("feed import harbour")
        let found = try await names("CAF", in: test)
        #expect(found.first?.name == "Café Zoë")
        #expect(found.first?.quality.manner == .whole)
        let stops = test.folder.url.appendingPathComponent("harbour/stops.txt")
        let text = try String(contentsOf: stops, encoding: .utf8)
        try text.replacingOccurrences(of: "UNI,", with: "old_harbour,").write(
            to: stops, atomically: true, encoding: .utf8)
        await test.run("feed import harbour --force --lenient")
        let old = try await names("old_harbour", in: test)
        #expect(old.first?.name == "Universität")
        #expect(
            try await names("old_harbour", near: old.first?.coordinate, radius: 1, in: test).first?.quality
                .manner
                != .whole)
    }

    @Test func aReplacedTimetableHasItsOwnNames() async throws {
        let test = try TestSession(plugins: { [TransitPlugin()] })
        await test.run("feed sample")
        await test.run("feed import harbour")
        #expect(try await !names("central", in: test).isEmpty)
        let stops = test.folder.url.appendingPathComponent("harbour/stops.txt")
        let text = try String(contentsOf: stops, encoding: .utf8)
        try text.replacingOccurrences(of: "Central", with: "Łódź Straße").write(
            to: stops, atomically: true, encoding: .utf8)
        await test.run("feed import harbour --force")
        #expect(try await names("central", in: test).isEmpty)
        #expect(try await names("lodz strasse", in: test).first?.name.hasPrefix("Łódź Straße") == true)
    }
}
