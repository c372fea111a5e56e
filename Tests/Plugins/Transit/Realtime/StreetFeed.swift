import Foundation
import PluginKit
import PluginTestKit

@testable import TransitPlugin

/// A small feed in Berlin's zone for realtime: t1 A 08:00, B 08:10, C 08:20, D 08:30; t2 an hour later; u1
/// A 08:05, D 08:40. Stop E is served by no trip.
enum StreetFeed {
    static let calendar =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        + "s,1,1,1,1,1,1,1,20260101,20261231\nf,0,0,0,0,1,0,0,20260101,20261231\n"

    /// A trip: route, service, direction, block, and calls as `A 8:00;B 8:10`.
    typealias Trip = (
        id: String, route: String, service: String, direction: String, block: String, calls: String
    )

    static let trips: [Trip] = [
        ("t1", "r1", "s", "0", "", "A 08:00;B 08:10;C 08:20;D 08:30"),
        ("t2", "r1", "s", "0", "", "A 09:00;B 09:10;C 09:20;D 09:30"),
        ("u1", "r2", "s", "0", "", "A 08:05;D 08:40"),
    ]

    static func tables(_ trips: [Trip] = trips, _ changes: [String: String] = [:]) -> [String: String] {
        var rows = "route_id,service_id,trip_id,direction_id,block_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for trip in trips {
            rows += "\(trip.route),\(trip.service),\(trip.id),\(trip.direction),\(trip.block)\n"
            for (index, call) in trip.calls.split(separator: ";").enumerated() {
                let words = call.split(separator: " ")
                times += "\(trip.id),\(words[1]):00,\(words[1]):00,\(words[0]),\(index + 1)\n"
            }
        }
        let made = [
            "agency.txt":
                "agency_id,agency_name,agency_url,agency_timezone\na,City Bus,http://a.example,Europe/Berlin\n"
                + "b,Night Coach,http://b.example,Europe/Berlin\n",
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,50.00,8\nB,Beta,50.02,8\nC,Gamma,50.04,8\n"
                + "D,Delta,50.06,8\nE,Echo,50.04,8.04\n",
            "routes.txt":
                "route_id,agency_id,route_short_name,route_long_name,route_type\nr1,a,1,,3\nr2,b,2,,3\n",
            "calendar.txt": calendar, "trips.txt": rows, "stop_times.txt": times,
        ]
        return made.merging(changes) { $1 }
    }

    /// 07:55 on Friday 2026-02-06 in Berlin, an hour and five minutes before the time of test sessions.
    static let now = moment("07:55")

    /// A time of that day.
    static func moment(_ clock: String) -> Int {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        return Int(TestSession.Settings.start.seconds) + (parts[0] - 9) * 3600 + parts[1] * 60
    }

    static let day = "20260206"

    /// A session at 07:55, or at another time of the day, with a message in use.
    static func session(
        _ tables: [String: String] = tables(), at clock: String = "07:55",
        with entities: [(field: Int, message: Proto)] = []
    ) async throws -> TestSession {
        let message = Proto.feed(moment(clock), entities)
        let session = try TestSession(plugins: { [TransitPlugin()] }, files: ["m.pb": Data(message.bytes)])
        let folder = session.folder.url.appendingPathComponent("street", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in tables { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        try await session.value("set timezone Europe/Berlin")
        await session.run("clock 2026-02-06T\(clock):00+01:00")
        try await session.value("feed import street")
        if !entities.isEmpty { try await session.value("feed realtime m.pb") }
        return session
    }

    /// `08:00 08:06 t1 6min late`: the board of a stop.
    static func board(_ session: TestSession, _ stop: String, _ limit: Int = 4) async -> [String] {
        await session.run(
            "departures @\(stop) --within 3h --limit \(limit) | select time expected trip status | to csv"
        ).split(separator: "\n").dropFirst().map { $0.replacingOccurrences(of: ",", with: " ") }
    }
}
