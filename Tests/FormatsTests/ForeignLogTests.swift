import Archives
import CivilTime
import Core
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// Recordings of programs and devices whose formats are their own.
struct ForeignLogTests {
    private func read(_ text: String, _ name: String) throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    /// Its points: latitude, longitude, elevation, seconds since 8:00 of 6 June 2026 in UTC.
    private func points(_ file: TrackFile) -> [[Double?]] {
        file.lines.flatMap { $0.segments.joined() }.map { point in
            let seconds = point.time.map { Double($0.milliseconds - 1_780_732_800_000) / 1000 }
            return [
                point.coordinate.latitude, point.coordinate.longitude, point.coordinate.altitude, seconds,
            ]
            .map { $0.map { ($0 * 1e6).rounded() / 1e6 } }
        }
    }

    private func doubts(_ file: TrackFile) -> String {
        (file.document.doubts + file.document.notices + file.lines.flatMap(\.doubts)).joined(separator: "; ")
    }

    private static let walk: [[Double?]] = [
        [47, 8, 500, 0], [47.0003, 8.0002, 503, 20], [47.0006, 8.0004, 506, 40], [47.0009, 8.0006, 509, 60],
    ]
    private static let places = [
        ("47.0000", "8.0000", 500), ("47.0003", "8.0002", 503), ("47.0006", "8.0004", 506),
        ("47.0009", "8.0006", 509),
    ]
    private static func time(_ index: Int) -> String {
        "2026-06-06T08:0\(index / 3):\(["00", "20", "40"][index % 3])"
    }

    private static func rows(_ row: (Int, String, String, Int) -> String) -> String {
        var text = ""
        for (index, place) in places.enumerated() { text += row(index, place.0, place.1, place.2) }
        return text
    }

    @Test func reportsOfGpsdAreATrack() throws {
        let text =
            "{\"class\":\"VERSION\",\"release\":\"3.25\",\"proto_major\":3}\n"
            + Self.rows { index, north, east, height in
                "{\"class\":\"TPV\",\"mode\":3,\"time\":\"\(Self.time(index)).000Z\",\"lat\":\(north),\"lon\":\(east),\"alt\":\(height),\"speed\":1.5,\"track\":20.5}\n"
            } + "{\"class\":\"TPV\",\"mode\":1,\"time\":\"2026-06-06T08:02:00.000Z\"}\n"
        let file = try read(text, "gps.json")
        #expect(points(file) == Self.walk)
        #expect(file.lines.first?.segments[0][0].sensors.speed == 1.5)
        #expect(file.lines.first?.segments[0][0].sensors.course == 20.5)
        #expect(file.document.account?.seen == 5 && file.document.account?.addsUp == true)
        #expect(doubts(file).contains("without a fix"))
    }

    @Test func aTrainingOfPolarHasItsZoneAndHeartRates() throws {
        func local(_ index: Int) -> String { Self.time(index).replacing("T08", with: "T10") }
        let route = Self.rows { index, north, east, height in
            (index == 0 ? "" : ",")
                + "{\"dateTime\":\"\(local(index)).000\",\"latitude\":\(north),\"longitude\":\(east),\"altitude\":\(height)}"
        }
        let rates = (0..<4).map { "{\"dateTime\":\"\(local($0)).000\",\"value\":\(100 + $0)}" }.joined(
            separator: ",")
        let text =
            "{\"exportVersion\":\"1.6\",\"exercises\":[{\"startTime\":\"\(local(0))\",\"timezoneOffset\":120,\"sport\":\"HIKING\",\"samples\":{\"heartRate\":[\(rates)],\"recordedRoute\":[\(route)]}}]}"
        let file = try read(text, "training.json")
        #expect(points(file) == Self.walk)
        #expect(file.lines.first?.type == "hiking")
        #expect(file.lines.first?.segments[0].map(\.heartRate) == [100, 101, 102, 103])
    }

    @Test func aTrainingOfPolarWithoutARouteHasItsTimesAndTotals() throws {
        let rates = (0..<4).map { "{\"dateTime\":\"\(Self.time($0)).000\",\"value\":\(100 + $0)}" }
        let text =
            "[{\"exportVersion\":\"1.6\",\"startTime\":\"\(Self.time(0))\",\"exercises\":[{\"distance\":1200.5,\"kiloCalories\":80,"
            + "\"heartRate\":{\"avg\":101,\"max\":103},\"samples\":{\"heartRate\":[\(rates.joined(separator: ","))],"
            + "\"leftPedalBalance\":[{\"value\":1}]}}]}]"
        let file = try read(text, "training.json")
        let line = try #require(file.lines.first)
        #expect(line.pointCount == 0 && line.unplaced.map(\.sensors.heartRate) == [100, 101, 102, 103])
        #expect(line.totals?.distance == 1200.5 && line.totals?.maximumHeartRate == 103)
        #expect(doubts(file).contains("times without a zone, taken as UTC"))
        #expect(doubts(file).contains("values of leftPedalBalance: not read (1)"))
        #expect(file.document.account?.addsUp == true)
    }

    /// Samples of the heart rate, in Hertz, stand between those of positions, in radians.
    @Test(.needs(.xml)) func samplesOfSuuntoAreJoined() throws {
        func radians(_ degrees: String) -> Double { (Double(degrees) ?? 0) * .pi / 180 }
        let json =
            "{\"DeviceLog\":{\"Header\":{\"Ascent\":9,\"Distance\":110,\"Energy\":418400},\"Samples\":["
            + Self.rows { index, north, east, height in
                (index == 0 ? "" : ",") + "{\"HR\":2,\"TimeISO8601\":\"\(Self.time(index)).300Z\"},"
                    + "{\"GPSAltitude\":\(height),\"Latitude\":\(radians(north)),\"Longitude\":\(radians(east)),\"TimeISO8601\":\"\(Self.time(index))Z\"}"
            } + "]}}"
        let sml =
            "<sml><DeviceLog><Header><Ascent>9</Ascent><Distance>110</Distance><Energy>418400</Energy></Header><Samples>"
            + Self.rows { index, north, east, height in
                "<Sample><UTC>\(Self.time(index))Z</UTC><HR>2</HR><GPSAltitude>\(height)</GPSAltitude>"
                    + "<Latitude>\(radians(north))</Latitude><Longitude>\(radians(east))</Longitude><Events><Pause>1</Pause></Events></Sample>"
            }
        for (text, name) in [
            (json, "a.json"), (sml + "</Samples></DeviceLog></sml>", "a.sml"), (sml, "b.sml"),
        ] {
            let file = try read(text, name)
            #expect(points(file) == Self.walk, "\(name)")
            #expect(file.lines.first?.segments[0].map(\.heartRate) == [120, 120, 120, 120], "\(name)")
            #expect(file.lines.first?.totals?.ascent == 9 && file.lines.first?.totals?.calories == 100)
            #expect(file.document.account?.addsUp == true && file.document.account?.seen == 4)
        }
    }

    @Test func aRunOfNikeHasItsPlacesAndTimes() throws {
        func metric(_ type: String, _ value: (String, String, Int) -> String) -> String {
            "{\"type\":\"\(type)\",\"values\":["
                + Self.rows { index, north, east, height in
                    (index == 0 ? "" : ",")
                        + "{\"start_epoch_ms\":\(1_780_732_800_000 + index * 20_000),\"value\":\(value(north, east, height))}"
                } + "]}"
        }
        let metrics = [
            metric("latitude") { north, _, _ in north }, metric("longitude") { _, east, _ in east },
            metric("elevation") { _, _, height in "\(height)" }, metric("heart_rate") { _, _, _ in "120" },
            metric("pace") { _, _, _ in "6" },
        ]
        let text =
            "{\"start_epoch_ms\":1780732800000,\"type\":\"run\",\"metrics\":[\(metrics.joined(separator: ","))],"
            + "\"summaries\":[{\"metric\":\"distance\",\"summary\":\"total\",\"value\":0.11}]}"
        let file = try read(text, "run.json")
        #expect(points(file) == Self.walk)
        #expect(file.lines.first?.type == "running" && file.lines.first?.totals?.distance == 110)
        #expect(file.lines.first?.segments[0].map(\.heartRate) == [120, 120, 120, 120])
        #expect(doubts(file).contains("values of pace: not read (4)"))
    }

    /// One impossible angle of a damaged sample does not make degrees of the others.
    @Test func anImpossibleSampleOfSuuntoChangesNoUnit() throws {
        func radians(_ degrees: String) -> Double { (Double(degrees) ?? 0) * .pi / 180 }
        let samples = Self.rows { index, north, east, height in
            "{\"GPSAltitude\":\(height),\"Latitude\":\(radians(north)),\"Longitude\":\(radians(east)),\"TimeISO8601\":\"\(Self.time(index))Z\"},"
        }
        let text =
            "{\"DeviceLog\":{\"Samples\":[\(samples){\"Latitude\":214748.3647,\"Longitude\":0.1,\"TimeISO8601\":\"\(Self.time(4))Z\"}]}}"
        let file = try read(text, "move.json")
        #expect(points(file).count == Self.walk.count)
        for (read, walked) in zip(points(file), Self.walk) {
            #expect(abs((read[0] ?? 0) - (walked[0] ?? 0)) < 1e-6)
        }
    }

    /// Records of another program may have the words of an export.
    @Test func recordsWithWordsOfExportsAreRead() throws {
        let text =
            "{\"data\":["
            + Self.rows { index, north, east, _ in
                (index == 0 ? "" : ",")
                    + "{\"latlng\":{\"lat\":\(north),\"lng\":\(east)},\"time\":\"\(Self.time(index))Z\"}"
            } + "]}"
        #expect(points(try read(text, "rec.json")).count == Self.walk.count)
    }

    /// An activity that has totals alone is said.
    @Test func anActivityWithoutMeasurementsIsSaid() throws {
        let rates = (0..<4).map { "{\"dateTime\":\"\(Self.time($0)).000\",\"value\":\(100 + $0)}" }
        let text =
            "{\"startTime\":\"\(Self.time(0))\",\"exercises\":[{\"kiloCalories\":300},"
            + "{\"samples\":{\"heartRate\":[\(rates.joined(separator: ","))]}}]}"
        let file = try read(text, "training.json")
        #expect(file.lines.count == 1)
        #expect(doubts(file).contains("an activity without any measurement: left out"))
    }

    /// The times of streams count from a start that stands in another file.
    @Test func streamsOfStravaHaveNoTimes() throws {
        let places = Self.places.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
        let list =
            "[{\"type\":\"latlng\",\"series_type\":\"time\",\"data\":[\(places),null]},{\"type\":\"time\",\"data\":[0,20,40,60,80]},"
            + "{\"type\":\"altitude\",\"data\":[500,503,506,509,512]},{\"type\":\"moving\",\"data\":[true]}]"
        let file = try read(list, "streams.json")
        #expect(points(file) == Self.walk.map { Array($0.prefix(3)) + [nil] })
        #expect(
            doubts(file).contains("times that count from a start which the file does not name: unknown: 5"))
        #expect(doubts(file).contains("values of moving: not read (1)"))
        #expect(file.document.account?.seen == 5 && file.document.account?.addsUp == true)
    }

    @Test func recordsInAnyNesting() throws {
        let samsung =
            "["
            + Self.rows { index, north, east, height in
                (index == 0 ? "" : ",")
                    + "{\"start_time\":\(1_780_732_800_000 + index * 20_000),\"latitude\":\(north),\"longitude\":\(east),\"altitude\":\(height)}"
            } + "]"
        let suunto =
            "{\"Samples\":["
            + (0..<4).map { index in
                let north = 47 + 0.0003 * Double(index)
                let east = 8 + 0.0002 * Double(index)
                return
                    "{\"Attributes\":{\"suunto/sml\":{\"Sample\":{\"GPSAltitude\":\(500 + 3 * index),\"Latitude\":\(north * .pi / 180),\"Longitude\":\(east * .pi / 180)}}},\"TimeISO8601\":\"\(Self.time(index))+00:00\"}"
            }.joined(separator: ",") + "]}"
        let endomondo =
            "[{\"sport\":\"HIKING\"},{\"points\":["
            + Self.rows { index, north, east, height in
                (index == 0 ? "" : ",")
                    + "[{\"location\":[[{\"latitude\":\(north)},{\"longitude\":\(east)}]]},{\"altitude\":\(height)},{\"timestamp\":\"\(Self.time(index))Z\"}]"
            } + "]}]"
        #expect(points(try read(samsung, "a.location_data.json")) == Self.walk)
        #expect(points(try read(suunto, "a.json")) == Self.walk)
        #expect(points(try read(endomondo, "a.json")) == Self.walk)
    }

    @Test func recordsHaveUnitsZonesAndNames() throws {
        func records(_ keys: String, _ count: Int = 2) -> String {
            "[" + (0..<count).map { "{\"lat\":47.\($0),\"lon\":8.1,\(keys)}" }.joined(separator: ",") + "]"
        }
        let feet = try read(records("\"altitude_ft\":1000,\"time\":\"2026-06-06T08:00:00Z\""), "a.json")
        #expect(points(feet).allSatisfy { $0[2] == 304.8 })
        let hours = "\"timezoneOffset\":2,\"time\":\"2026-06-06T08:00:00\""
        #expect(doubts(try read(records(hours), "a.json")).contains("without a zone"))
        let places = try read(records("\"name\":\"Hut\",\"date\":\"2026-06-06\""), "a.json")
        #expect(places.document.waypoints.count == 2 && places.lines.isEmpty)
    }

    /// A photo, a forecast or an answer has a position, and is no recording.
    @Test(arguments: [
        "{\"latitude\":47.5,\"longitude\":8.5,\"current\":{\"time\":\"2026-06-06T08:00\"}}",
        "{\"photoTakenTime\":{\"timestamp\":\"1\"},\"geoData\":{\"latitude\":47.5,\"longitude\":8.5},\"geoDataExif\":{\"latitude\":47.5,\"longitude\":8.5}}",
    ]) func aSinglePositionIsNoRecording(text: String) throws {
        #expect(throws: RutterError.self) { try read(text, "a.json") }
    }

    /// Properties of features may have positions and times too: the features count.
    @Test func featuresAreFeatures() throws {
        let text =
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"lat\":1.5,\"lon\":2.5,\"time\":\"x\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.5,47.5]}}]}"
        #expect(try read(text, "a.json").format == .geojson)
    }

    @Test func aFlightHasHeightsOfSatellites() throws {
        let text =
            "AXXX001 Vendor\r\nHFDTE060626\r\n"
            + [
                "B0800004700000N00800000EA0045000500", "B0800204700018N00800012EA0045300503",
                "B0800404700036N00800024EV0045600000", "B0801004700054N00800036EA0045900509",
                "B0801204700054N00800036EV0000000000",
            ].joined(separator: "\r\n") + "\r\nGABC\r\n"
        let file = try read(text, "flight.igc")
        #expect(file.format == .igc)
        let heights = points(file).map { $0[2] }
        #expect(heights == [500, 503, 456, 509, nil])
        #expect(points(file).map { $0[3] } == [0, 20, 40, 60, 80])
        #expect(points(file).prefix(4).map { $0[0] } == Self.walk.map { $0[0] })
        #expect(doubts(file).contains("without a height by satellites"))
    }

    @Test func aTrackOfOziExplorerIsInFeet() throws {
        let text =
            "OziExplorer Track Point File Version 2.1\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,Walk,0,0,2,8421376\r\n4\r\n"
            + [
                "  47.000000,   8.000000,1,   -777,46179.3333333,06-Jun-26, 08:00:00",
                "  47.000300,   8.000200,0, 1650.3,46179.3335648,06-Jun-26, 08:00:20",
            ].joined(separator: "\r\n") + "\r\n"
        let file = try read(text, "walk.plt")
        #expect(file.lines.first?.name == "Walk")
        #expect(points(file) == [[47, 8, nil, 0], [47.0003, 8.0002, 503.01144, 20]])
    }

    @Test func aTableWithoutNamesIsReadByItsValues() throws {
        let timed = Self.rows { index, north, east, height in
            "\(Self.time(index))Z,\(north),\(east),\(height)\n"
        }
        let file = try read(timed, "a.csv")
        #expect(points(file) == Self.walk)
        #expect(doubts(file).contains("column 2 as latitude, column 3 as longitude, column 4 as elevation"))
        #expect(doubts(file).contains("the other way round"))
        // A longitude beyond 90° tells which is which.
        let far = Self.rows { index, north, _, height in
            "116.4\(index)1;\(north);\(height);\(Self.time(index))Z\n"
        }
        let other = try read(far, "b.csv")
        #expect(points(other).map { $0[0] } == Self.walk.map { $0[0] })
        #expect(!doubts(other).contains("the other way round"))
    }

    /// A speed, a course or a heart rate behind the angles is no elevation.
    @Test func smallNumbersBehindTheAnglesAreNoHeights() throws {
        let speeds = Self.rows { index, north, east, _ in "\(Self.time(index))Z,\(north),\(east),4.\(index)\n"
        }
        let file = try read(speeds, "a.csv")
        #expect(points(file).map { $0[2] } == [nil, nil, nil, nil])
        #expect(doubts(file).contains("columns not read: column 4"))
        #expect(doubts(file).contains("column 4 not read: heights or other values"))
    }

    @Test func aLogOfOwnTracksIsATrack() throws {
        let text = Self.rows { index, north, east, height in
            "\(Self.time(index))Z\t*                 \t{\"_type\":\"location\",\"lat\":\(north),\"lon\":\(east),\"alt\":\(height),"
                + "\"tst\":\(1_780_732_800 + 20 * index)}\n"
        }
        #expect(points(try read(text, "2026-06.rec")) == Self.walk)
    }

    /// The fixes of the receiver, without those of radio cells at the same moments.
    @Test func aLogOfGnssLoggerIsATrack() throws {
        let text =
            "# \n# Version: v3\n# Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis\n"
            + Self.rows { index, north, east, height in
                let moment = "\(1_780_732_800 + 20 * index)000"
                return
                    "Raw,1,2\nFix,GPS,\(north),\(east),\(height),1.5,4.0,20,\(moment)\nFix,NLP,47.5,\(east),,,900,,\(moment)\n"
            }
        let file = try read(text, "gnss_log.txt")
        #expect(points(file) == Self.walk)
        #expect(file.lines.first?.segments[0][0].sensors.speed == 1.5)
        #expect(doubts(file).contains("positions of NLP beside those of GPS, left out: 4"))
    }

    /// What Overland sends, and features of points with times: the points of a track.
    @Test(arguments: [
        ("{\"locations\":[", "]}"), ("{\"type\":\"FeatureCollection\",\"features\":[", "]}"),
    ]) func pointsWithTimesAreATrack(head: String, tail: String) throws {
        let features = (0..<6).map { index in
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.000\(index),47]},\"properties\":"
                + "{\"timestamp\":\"2026-06-06T08:00:0\(index)Z\",\"altitude\":500,\"motion\":\"walking\"}}"
        }
        let file = try read(head + features.joined(separator: ",") + tail, "a.json")
        #expect(file.document.waypoints.isEmpty)
        #expect(points(file).map { $0[3] } == [0, 1, 2, 3, 4, 5])
        #expect(points(file).allSatisfy { $0[2] == 500 })
        #expect(doubts(file).contains("fields that points do not have: motion"))
    }

    /// Points of several days, one each, are places.
    @Test func aPointADayIsNoTrack() throws {
        let features = (0..<6).map { index in
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[8.00\(index),47]},\"properties\":"
                + "{\"time\":\"2026-06-0\(1 + index)T08:00:00Z\"}}"
        }
        let file = try read(
            "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}", "a.geojson")
        #expect(file.document.waypoints.count == 6 && file.document.tracks.isEmpty)
    }

    /// Numbers that jump are no way, however many decimals they have.
    @Test func numbersThatJumpAreNoPositions() throws {
        let rows = (0..<40).map { index in
            let (x, y) = (index * 37 % 89, index * 53 % 97)
            return "\(1_780_732_800 + index),0.\(10_007 * x),-0.\(10_007 * y),9.80665"
        }
        let noise = rows.joined(separator: "\n")
        #expect(try TrackFormat(recognising: SourceBytes(Array(noise.utf8), name: "a.csv")) == nil)
        #expect {
            _ = try read("time,x,y,z\n" + noise, "a.csv")
        } throws: {
            "\($0)".contains("no degrees") || ($0 as? RutterError)?.message.contains("no degrees") == true
        }
    }

    @Test(.needs(.xml)) func swappedAnglesAreNamed() throws {
        let gpx =
            "<gpx><trk><trkseg>" + (0..<4).map { "<trkpt lat=\"116.\($0)\" lon=\"39.9\"/>" }.joined()
            + "<trkpt lat=\"40\" lon=\"116\"/></trkseg></trk></gpx>"
        let table = "time,lat,lon\n" + (0..<4).map { "\(Self.time($0))Z,116.\($0),39.9\n" }.joined()
        for (text, name) in [(gpx, "a.gpx"), (table, "a.csv")] {
            let file = try read(text, name)
            #expect(doubts(file).contains("exchanged"), "\(name): \(doubts(file))")
        }
        // One among right ones is damaged.
        let one =
            "time,lat,lon\n" + (0..<4).map { "\(Self.time($0))Z,\($0 == 2 ? 96 : 46).\($0),39.9\n" }.joined()
        #expect(!doubts(try read(one, "a.csv")).contains("exchanged"))
    }

    @Test(arguments: [
        ("[Params]\r\nVersion=106\r\nSMode=111\r\n", "Polar"), ("<!DOCTYPE html><html><body>", "web page"),
        ("<openambitlog><DeviceInfo/></openambitlog>", "openambit"),
        ("MsRcf\0\u{2}", "MapSource"),
        ("{\"error\":\"Unauthorized\"}", "server"),
    ]) func whatIsNotReadIsNamed(text: String, name: String) throws {
        let known = try #require(ForeignRecording(recognising: SourceBytes(Array(text.utf8), name: "a")))
        #expect(known.words.contains(name) && !known.fix.isEmpty)
    }
}
