import Archives
import CivilTime
import Foundation
import Geodesy
import Testing

@testable import Formats

/// Logs of receivers, tables of points and histories of telephones.
struct LogReaderTests {
    private func file(_ text: String, _ name: String = "a.txt") throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    private func times(_ file: TrackFile) -> [String?] {
        file.document.tracks.flatMap { $0.segments.joined() }.map { $0.time.map { ISO8601.text($0) } }
    }

    private static func nmea(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count < 2 ? "0" + sum : sum)\r\n"
    }

    // MARK: NMEA

    @Test func sentencesOfOneTimeAreOnePoint() throws {
        let log =
            Self.nmea("GPRMC,080000.00,A,4730.0000,N,00815.0000,E,2.0,45.0,060626,,")
            + Self.nmea("GPGGA,080000.00,4730.0000,N,00815.0000,E,1,08,1.0,500.0,M,48.0,M,,")
            + Self.nmea("GPRMC,080020.00,A,4730.0180,S,00815.0120,W,2.0,45.0,060626,,")
        let points = try #require(try file(log).document.tracks.first).segments[0]
        #expect(points.count == 2)
        #expect(points[0].coordinate.latitude == 47.5 && points[0].coordinate.longitude == 8.25)
        #expect(points[0].coordinate.altitude == 500)
        // A knot is 1852 m an hour.
        #expect(abs((points[0].sensors.speed ?? 0) - 2 * 1852.0 / 3600) < 1e-9)
        #expect(points[1].coordinate.latitude < 0 && points[1].coordinate.longitude < 0)
        #expect(points[1].coordinate.altitude == nil)
    }

    @Test func aFixThatIsNoneAndAWrongChecksumAreCounted() throws {
        let good = Self.nmea("GPRMC,080000.00,A,4700.0000,N,00800.0000,E,,,060626,,")
        let log =
            good + Self.nmea("GPRMC,080010.00,V,4700.0000,N,00800.0000,E,,,060626,,")
            + Self.nmea("GPGGA,080011.00,,,,,0,00,,,M,,M,,")
            + "$GPRMC,080020.00,A,4700.0180,N,00800.0120,E,,,060626,,*00\r\n"
            + "$GPRMC,080030.00,A,4700.0360,N,00800.0\r\n"
            + Self.nmea("GPRMC,080040.00,A,4799.0000,N,00800.0000,E,,,060626,,")
        let line = try #require(try file(log).document.tracks.first)
        #expect(line.pointCount == 1)
        #expect(
            line.doubts.prefix(4) == [
                "sentences without a fix, left out: 2", "sentences whose checksum is wrong, left out: 1",
                "sentences without a checksum, left out: 1", "positions that are none, left out: 1",
            ])
    }

    @Test func waypointsOfAReceiverArePlaces() throws {
        let log =
            Self.nmea("GPWPL,3558.322,N,08708.082,W,GCEBB") + Self.nmea("GPWPL,3600.000,N,08600.000,W,B")
        let places = try file(log).document.waypoints
        #expect(places.map(\.name) == ["GCEBB", "B"])
        #expect(abs((places.first?.coordinate.latitude ?? 0) - 35.972033) < 1e-5)
        #expect(abs((places.first?.coordinate.longitude ?? 0) + 87.134700) < 1e-5)
    }

    @Test func midnightIsTheNextDay() throws {
        let log =
            Self.nmea("GPGGA,235950,4700.0000,N,00800.0000,E,1,08,1.0,500.0,M,48.0,M,,")
            + Self.nmea("GPZDA,235950,05,06,2026,00,00")
            + Self.nmea("GPGGA,000010,4700.0100,N,00800.0000,E,1,08,1.0,500.0,M,48.0,M,,")
        #expect(times(try file(log)) == ["2026-06-05T23:59:50Z", "2026-06-06T00:00:10Z"])
    }

    /// A log that names no day has times of day: durations are right, and the day is said to be none.
    @Test func aLogWithoutADateKeepsItsTimesOfDay() throws {
        let undated =
            Self.nmea("GPGGA,235950,4700.0000,N,00800.0000,E,1,08,1.0,500.0,M,48.0,M,,")
            + Self.nmea("GPGGA,000010,4700.0100,N,00800.0000,E,1,08,1.0,500.0,M,48.0,M,,")
        let read = try file(undated)
        #expect(times(read) == ["1970-01-01T23:59:50Z", "1970-01-02T00:00:10Z"])
        #expect(read.document.tracks[0].doubts.contains { $0.contains("an unknown day") })
        let named = try file(undated, "walk_2026-07-04.nmea")
        #expect(times(named) == ["2026-07-04T23:59:50Z", "2026-07-05T00:00:10Z"])
    }

    @Test(
        arguments: [
            ("20260704.nmea", 20_638), ("log-2026_07_04-0800.txt", 20_638), ("run12_20260704.nmea", 20_638),
            ("20261304.nmea", nil), ("1234567890.nmea", nil), ("a.nmea", nil),
        ] as [(String, Int?)])
    func aDayInAName(name: String, day: Int?) { #expect(NMEAReader.day(inName: name) == day) }

    @Test func aLogWithoutAnyChecksumIsTakenAsItIs() throws {
        let body = "$GPRMC,080000.00,A,4730.0000,N,00815.0000,E,2.0,45.0,060626,,\r\n"
        let line = try #require(try file(body, "a.nmea").document.tracks.first)
        #expect(line.pointCount == 1)
        #expect(line.doubts.contains { $0.hasPrefix("sentences without a checksum, as all of this log") })
    }

    @Test func anEstimatedPositionIsNone() throws {
        let log =
            Self.nmea("GPGGA,080000,4700.0000,N,00800.0000,E,1,08,1.0,500.0,M,48.0,M,,")
            + Self.nmea("GPGGA,080010,4800.0000,N,00800.0000,E,6,00,1.0,500.0,M,48.0,M,,")
            + Self.nmea("GPRMC,080020,A,4800.0000,N,00800.0000,E,2.0,45.0,060626,,,E")
            + Self.nmea("GPGLL,4800.0000,N,00800.0000,E,080030,A,E")
        let line = try #require(try file(log).document.tracks.first)
        #expect(line.pointCount == 1)
        #expect(line.doubts.contains { $0.contains("estimated without satellites") })
    }

    @Test func aColumnToTheWestIsNegative() throws {
        let found = try file("time,lat (S),lon (W)\n2026-07-04T08:00:00Z,46.5,10.2\n", "a.csv")
        let line = try #require(found.document.tracks.first)
        #expect(line.segments[0][0].coordinate == Coordinate(latitude: -46.5, longitude: -10.2))
        #expect(line.doubts.contains { $0.contains("west or south") })
    }

    // MARK: Histories

    /// A month of Takeout, whose activities have only the places on the way.
    @Test func anActivityWithPlacesOnTheWayIsAWay() throws {
        func place(_ north: Int) -> String { "{\"latE7\": \(north), \"lngE7\": 102000000}" }
        func segment(_ path: String) -> String {
            """
            {"activitySegment": {"activityType": "WALKING", "startLocation": {"latitudeE7": 465000000, "longitudeE7": 102000000},
             "endLocation": {"latitudeE7": 465090000, "longitudeE7": 102000000},
             "duration": {"startTimestamp": "2021-07-04T08:00:00Z", "endTimestampMs": "1625386800000"}\(path)}}
            """
        }
        let path = ", \"waypointPath\": {\"waypoints\": [\(place(465_045_000))]}"
        let read = try file("{\"timelineObjects\": [\(segment(path)), \(segment(""))]}", "a.json")
        #expect(read.format == .timeline)
        #expect(times(read) == ["2021-07-04T08:00:00Z", nil, "2021-07-04T08:20:00Z"])
        #expect(read.document.tracks[0].type == "walking")
        #expect(read.document.notices == ["activities without a point between start and end: not read (1)"])
        // Points on the way have their times, and so have the ends.
        let point = place(465_030_000).dropLast() + ", \"timestamp\": \"2021-07-04T08:07:00Z\"}"
        let raw = ", \"simplifiedRawPath\": {\"points\": [\(point)]}"
        #expect(
            times(try file("{\"timelineObjects\": [\(segment(raw))]}", "a.json"))
                == ["2021-07-04T08:00:00Z", "2021-07-04T08:07:00Z", "2021-07-04T08:20:00Z"])
    }

    @Test func whatTheTelephoneMeasuredIsNotCountedTwice() throws {
        func path(_ minute: Int) -> String {
            "{\"point\": \"46.50\(minute)°, 10.2°\", \"time\": \"2026-07-04T08:0\(minute):00Z\"}"
        }
        func signal(_ minute: Int) -> String {
            """
            {"position": {"LatLng": "46.50\(minute)°, 10.2°", "timestamp": "2026-07-04T08:0\(minute):10Z", "accuracyMeters": 5}}
            """
        }
        let all = (0..<5).map(path).joined(separator: ","), own = (0..<5).map(signal).joined(separator: ",")
        let read = try file(
            "{\"semanticSegments\": [{\"timelinePath\": [\(all)]}], \"rawSignals\": [\(own)]}", "a.json")
        #expect(read.document.tracks.map(\.pointCount) == [5])
        #expect(read.document.notices.contains { $0.hasSuffix("that the telephone measured: not read (5)") })
    }

    @Test func twoDevicesAreTwoTracks() throws {
        let records = (0..<4).map { index in
            """
            {"latitudeE7": \(465_000_000 + index % 2 * 10_000_000), "longitudeE7": 102000000, "deviceTag": \(index % 2 + 7),
             "timestamp": "2026-07-04T08:00:\(index)0Z"}
            """
        }
        let read = try file("{\"locations\": [\(records.joined(separator: ","))]}", "a.json")
        #expect(read.document.tracks.map(\.pointCount) == [2, 2])
        #expect(Set(read.document.tracks[0].segments[0].map(\.coordinate.latitude)).count == 1)
        #expect(read.document.notices.contains { $0.hasPrefix("2 devices") })
        let untagged =
            "{\"latitudeE7\": 485000000, \"longitudeE7\": 102000000, \"timestamp\": \"2026-07-04T08:00:50Z\"}"
        let all = try file("{\"locations\": [\((records + [untagged]).joined(separator: ","))]}", "a.json")
        #expect(all.document.tracks.map(\.pointCount) == [2, 2, 1])
    }

    @Test func aRadioCellIsNoPositionAmongExactOnes() throws {
        let records = [8, 15_000, 9].enumerated().map { index, accuracy in
            """
            {"latitudeE7": \(465_000_000 + index), "longitudeE7": 102000000, "accuracy": \(accuracy),
             "timestamp": "2026-07-04T08:00:\(index)0Z"}
            """
        }
        let line = try #require(
            try file("{\"locations\": [\(records.joined(separator: ","))]}", "a.json").document.tracks.first)
        #expect(line.pointCount == 2)
        #expect(line.doubts.contains { $0.hasPrefix("positions known to a kilometre") })
    }

    // MARK: Tables

    @Test func columnsAreKnownByTheirNames() throws {
        let table = """
            # a logger
            Time;Latitude;Longitude;Altitude (ft);Speed (km/h);Satellites
            2026-06-06T08:00:00Z;47,5;8,25;1000;36;7
            2026-06-06T08:00:20Z;47,6;8,25;x;36;7
            2026-06-06T08:00:40Z;97,6;8,25;1000;36;7
            """
        let found = try file(table, "a.csv")
        let line = try #require(found.document.tracks.first)
        #expect(line.pointCount == 2)
        #expect(line.segments[0][0].coordinate.altitude == 304.8)
        #expect(line.segments[0][1].coordinate.altitude == nil)
        #expect(abs((line.segments[0][0].sensors.speed ?? 0) - 10) < 1e-9)
        #expect(
            line.doubts == [
                "values of elevation that are no number, left out: 1",
                "rows without a possible position, left out: 1",
            ])
        #expect(found.document.notices == ["columns not read: Satellites"])
    }

    @Test func aSpeedWithoutAUnitIsNotRead() throws {
        let found = try file("time,lat,lon,speed\n2026-06-06T08:00:00Z,47,8,36\n", "a.csv")
        #expect(found.document.tracks.first?.segments[0][0].sensors.speed == nil)
        #expect(found.document.notices == ["columns not read: speed, which names no unit"])
    }

    @Test(arguments: [
        ("1780732800", "2026-06-06T08:00:00Z"), ("1780732800000", "2026-06-06T08:00:00Z"),
        ("1780732800000000000", "2026-06-06T08:00:00Z"), ("2026/06/06 08:00:00", "2026-06-06T08:00:00Z"),
        ("6.6.2026 08:00:00", "2026-06-06T08:00:00Z"), ("06/07/2026 08:00:00", nil), ("12.5", nil),
        ("1e300", nil), ("2026-06-31T08:00:00Z", nil),
    ])
    func timesOfTables(_ text: String, _ expected: String?) throws {
        #expect(times(try file("time,lat,lon\n\(text),47,8\n", "a.csv")) == [expected])
    }

    @Test func rowsWithNamesAndWithoutTimesArePlaces() throws {
        let found = try file("name,lat,lon,ele\nSpring,47,8,900\n\"Hut, upper\",47.1,8.1,\n", "a.csv")
        #expect(found.document.tracks.isEmpty)
        #expect(found.document.waypoints.map(\.name) == ["Spring", "Hut, upper"])
        #expect(
            try TrackFormat(recognising: SourceBytes(Array("name,beds\nA,1\n".utf8), name: "a.csv")) == nil)
    }

    // MARK: Histories

    @Test func recordsAreTracksApartWhereNothingWasRecorded() throws {
        let records = """
            {"locations": [{"latitudeE7": 470000000, "longitudeE7": -80000000, "accuracy": 12, "timestampMs": "1780732800000"},
            {"latitudeE7": 470000000, "longitudeE7": 4214967296, "timestamp": "2026-06-06T08:01:00Z"},
            {"longitudeE7": 1, "timestamp": "2026-06-06T08:01:10Z"},
            {"latitudeE7": 471000000, "longitudeE7": -80000000, "timestamp": "2026-06-06T12:00:00Z"}]}
            """
        let found = try file(records, "Records.json")
        #expect(found.document.tracks.map(\.pointCount) == [2, 1])
        // 4214967296 is −80000000 in 32 bits without a sign.
        #expect(found.document.tracks[0].segments[0].map(\.coordinate.longitude) == [-8, -8])
        #expect(found.document.tracks[0].segments[0][0].sensors.accuracy == 12)
        #expect(found.document.notices == ["records without a possible position, left out: 1"])
    }

    @Test func timelinesOfBothTelephones() throws {
        let android = """
            {"semanticSegments": [{"startTime": "2026-06-06T10:00:00.000+02:00", "timelinePath": [
            {"point": "47.1°, 8.2°", "time": "2026-06-06T10:00:00.000+02:00"}]}, {"visit": {"probability": 1}}]}
            """
        let found = try file(android, "Timeline.json")
        #expect(times(found) == ["2026-06-06T08:00:00Z"])
        #expect(found.document.notices.contains("visits inferred by Google: not read (1)"))
        let apple = """
            [{"startTime": "2026-06-06T10:00:00.000+02:00", "endTime": "2026-06-06T12:00:00.000+02:00", "timelinePath": [
            {"point": "geo:47.1,8.2", "durationMinutesOffsetFromStartTime": "12"}]}]
            """
        #expect(times(try file(apple, "location-history.json")) == ["2026-06-06T08:12:00Z"])
    }

    // MARK: Devices

    @Test func theSerialNumberOfADeviceIsNotItsName() {
        var line = GPXLine(segments: [])
        line.device = "garmin, product 2, serial 3912345678"
        #expect(line.deviceName == "garmin, product 2")
        line.device = "serial 3912345678"
        #expect(line.deviceName == nil)
    }

    // MARK: Tables of other programs

    private func places(_ rows: [String]) throws -> [[Double]] {
        try file(rows.joined(separator: "\n"), "a.csv").document.tracks.flatMap { $0.segments.joined() }
            .map { [$0.coordinate.latitude, $0.coordinate.longitude] }
    }

    /// Loggers write the letters of the hemispheres into columns of their own, and whether there was a fix.
    @Test func hemispheresInColumnsOfTheirOwn() throws {
        let rows = [
            "INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT(m),SPEED(km/h)",
            "1,T,2026/06/06,08:00:00,SPS,33.5,S,70.25,W,500 ,3.6 ",
            "2,T,2026/06/06,08:00:10,NO FIX,0,N,0,E,0,0",
            "3,T,2026/06/06,08:00:20,DGPS,33.6,S,70.26,W,501,3.6",
            "4,T,2026/06/06,08:00:30,SPS,-33.6,N,70.26,W,501,3.6",
        ]
        #expect(try places(rows) == [[-33.5, -70.25], [-33.6, -70.26]])
    }

    /// The letter counts for angles in degrees and minutes, too: 33° 30′ are 33.5°.
    @Test func hemispheresOfDegreesAndMinutes() throws {
        let rows = [
            "time,latitude,N/S,longitude,E/W", "2026-06-06T08:00:00Z,33 30.0,S,70 15.0,W",
            "2026-06-06T08:00:10Z,33 36.0,S,70 15.0,W",
        ]
        #expect(try places(rows) == [[-33.5, -70.25], [-33.6, -70.25]])
    }

    @Test func aFixOfZeroIsNone() throws {
        let rows = [
            "time,lat,lon,fix", "2026-06-06T08:00:00Z,47,8,3", "2026-06-06T08:00:10Z,47.1,8,0",
            "2026-06-06T08:00:20Z,47.2,8,3",
        ]
        #expect(try places(rows) == [[47, 8], [47.2, 8]])
    }

    @Test func digitsOfAnotherScriptInTablesAreSaid() throws {
        let rows = ["time,lat,lon,name", "2026-06-06T08:00:00Z,٤٧٫١,8,A", "2026-06-06T08:00:10Z,47.2,8,٣"]
        let document = try file(rows.joined(separator: "\n"), "a.csv").document
        let doubts = document.doubts + document.tracks.flatMap(\.doubts)
        #expect(doubts.contains("numbers in digits of another script, read as 0 to 9: 1"), "\(doubts)")
    }

    /// A course over ground that is called `track`, or the kilometres of a trip, name no tracks; numbers of tracks do.
    @Test(
        arguments: [
            ("track", ["359", "0", "1", "0", "359", "1"], [6]),
            ("track", ["90", "90", "91", "91", "92", "92"], [6]),
            ("trip", ["0.0", "0.0", "0.1", "0.1", "0.2", "0.2"], [6]),
            ("track", ["1", "1", "2", "2", "3", "3"], [2, 2, 2]),
            ("mmsi", ["7", "5", "7", "5", "7", "5"], [3, 3]),
        ] as [(String, [String], [Int])])
    func measurementsNameNoTracks(column: String, cells: [String], counts: [Int]) throws {
        let rows =
            ["time,lat,lon,\(column)"]
            + cells.enumerated().map { "2026-06-06T08:0\($0):00Z,47.\($0),8,\($1)" }
        let document = try file(rows.joined(separator: "\n"), "a.csv").document
        #expect(document.tracks.map(\.pointCount) == counts)
        #expect(
            document.notices.contains { $0.hasPrefix("columns not read: \(column)") } == (counts.count == 1))
    }

    @Test func longitudesFromZeroTo360() throws {
        let rows = [
            "lat,lon,time", "10,179.9,2026-06-06T08:00:00Z", "10,180.1,2026-06-06T08:10:00Z",
            "10,180.3,2026-06-06T08:20:00Z",
        ]
        let found = try places(rows).map { $0[1] }
        #expect(zip(found, [179.9, -179.9, -179.7]).allSatisfy { abs($0 - $1) < 1e-9 })
        // One row of another place is no convention.
        let wrong = [
            "lat,lon,time", "10,8,2026-06-06T08:00:00Z", "10,188.1,2026-06-06T08:10:00Z",
            "10,8.2,2026-06-06T08:20:00Z",
        ]
        #expect(try places(wrong).map { $0[1] } == [8, 8.2])
        let west = [
            "lat,lon,time", "10,-8,2026-06-06T08:00:00Z", "10,352,2026-06-06T08:10:00Z",
            "10,352.1,2026-06-06T08:20:00Z",
        ]
        #expect(try places(west).count == 1)
    }

    /// Tables of animals, vehicles or telephones have several ways.
    @Test func severalObjectsAreSeveralTracks() throws {
        let rows =
            ["timestamp,location-long,location-lat,individual-local-identifier"]
            + (0..<6).map {
                "2026-06-06 08:0\($0):00,\(8 + $0 % 2),47.\($0),\($0 % 2 == 0 ? "Anna" : "Bert")"
            }
        let tracks = try file(rows.joined(separator: "\n"), "a.csv").document.tracks
        #expect(tracks.map(\.name) == ["Anna", "Bert"])
        #expect(tracks.map(\.pointCount) == [3, 3])
        // A number of each row is no object.
        let numbered = ["id,lat,lon,time"] + (0..<4).map { "\($0),47.\($0),8,2026-06-06T08:0\($0):00Z" }
        #expect(try file(numbered.joined(separator: "\n"), "a.csv").document.tracks.map(\.pointCount) == [4])
        let segments =
            ["lat,lon,time,segment"] + (0..<4).map { "47.\($0),8,2026-06-06T08:0\($0):00Z,\($0 / 2)" }
        let line = try file(segments.joined(separator: "\n"), "a.csv").document.tracks
        #expect(line.map { $0.segments.map(\.count) } == [[2, 2]])
        // A number of each row is no segment.
        let both =
            ["lat,lon,time,animal,segment"]
            + (0..<4).map { "47.\($0),8,2026-06-06T08:0\($0):00Z,\($0 / 2),\($0)" }
        let animals = try file(both.joined(separator: "\n"), "a.csv").document.tracks
        #expect(animals.map { $0.segments.map(\.count) } == [[2], [2]])
    }

    /// Metres of UTM with their zone, and degrees in columns named as the axes of a map.
    @Test func tablesInMetresAndWithAxes() throws {
        let grid =
            "time,easting,northing,zone\n2026-06-06T08:00:00Z,423960.5,5205500,32T\n2026-06-06T08:00:20Z,423970,5205600,32T\n"
        let metres = try TrackFile(SourceBytes(Array(grid.utf8), name: "a.csv"))
        let places = metres.lines.flatMap { $0.segments.joined() }.map(\.coordinate)
        #expect(places.count == 2)
        #expect(
            places.allSatisfy { abs($0.latitude - 47) < 0.01 && abs($0.longitude - 8) < 0.01 }, "\(places)")
        let axes = "time;X;Y\n2026-06-06T08:00:00Z;8.0;47.0\n2026-06-06T08:00:20Z;8.1;47.1\n"
        let degrees = try TrackFile(SourceBytes(Array(axes.utf8), name: "a.csv"))
        #expect(degrees.lines.first?.segments.first?.map(\.coordinate.longitude) == [8, 8.1])
        #expect(degrees.lines.first?.doubts.contains { $0.contains("columns x and y") } == true)
    }
}
