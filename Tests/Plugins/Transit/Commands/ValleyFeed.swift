import Foundation
import PluginKit
import PluginTestKit

@testable import TransitPlugin

/// A small feed in Zurich's zone: few runs a day, one service of a single day, and a line by headway.
enum ValleyFeed {
    static let tables: [String: String] = [
        "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Zurich\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
            + "A,Alpha,47.0,8.0\nB,Beta,47.01,8.0\nC,Gamma,47.02,8.0\nD,Delta,47.03,8.0\nE,Epsilon,47.04,8.0\n",
        "routes.txt": "route_id,route_short_name,route_type\nR1,1,3\nR2,2,3\nR3,3,3\n",
        "calendar.txt":
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "D,1,1,1,1,1,1,1,20260101,20260930\n",
        "calendar_dates.txt": "service_id,date,exception_type\nD,20260210,2\nX,20260211,1\n",
        "trips.txt": "route_id,service_id,trip_id\nR1,D,d\nR1,X,x\nR2,D,f\nR3,D,t\n",
        "frequencies.txt":
            "trip_id,start_time,end_time,headway_secs,exact_times\nf,20:00:00,21:00:00,1200,0\n",
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "d,08:00:00,08:00:00,A,1\nd,08:10:00,08:12:00,B,2\nd,08:20:00,08:20:00,C,3\n"
            + "x,09:00:00,09:00:00,A,1\nx,09:10:00,09:10:00,B,2\n"
            + "f,06:00:00,06:00:00,A,1\nf,06:05:00,06:05:00,D,2\n"
            + "t,12:00:00,12:00:00,A,1\nt,12:40:00,12:40:00,E,2\n",
    ]

    /// A session with the feed, imported from the folder `valley`; some tables may be others.
    static func session(
        _ changes: [String: String] = [:], files: [String: Data] = [:], isPipe: Bool = false,
        timezone: String = "Europe/Zurich"
    ) async throws -> TestSession {
        var environment = PluginKit.Environment.notebook
        environment.isPipe = isPipe
        let session = try TestSession(
            plugins: { [TransitPlugin()] }, files: files, environment: environment)
        let folder = session.folder.url.appendingPathComponent("valley", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in tables.merging(changes, uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try await session.value("set timezone \(timezone)")
        try await session.value("feed import valley")
        return session
    }
}
