import Archives
import Foundation
import Testing

@testable import Formats

/// `gx:Track`: the n-th time, position and value belong together.
struct KMLTrackTests {
    private func read(_ track: String) throws -> (line: GPXLine, document: GPXDocument) {
        let text = """
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track>
            \(track)</gx:Track></Placemark></kml>
            """
        let file = try TrackFile(SourceBytes(Array(text.utf8), name: "a.kml"))
        return (try #require(file.document.tracks.first), file.document)
    }

    private static let times = (0..<3).map { "<when>2026-06-06T08:00:0\($0)Z</when>" }
    private static let places = (0..<3).map { "<gx:coord>8 47.00\($0) 500</gx:coord>" }

    private func seconds(_ line: GPXLine) -> [Int?] {
        line.segments.joined().map { $0.time.map { Int($0.milliseconds / 1000 % 60) } }
    }

    @Test func anEmptyCoordinateIsNoPositionAtItsTime() throws {
        let places = [Self.places[0], "<gx:coord/>", Self.places[2]]
        let (line, _) = try read(Self.times.joined() + places.joined())
        #expect(seconds(line) == [0, 2])
        #expect(
            line.doubts == [
                "an empty `coord`: no position at its time (1 time)",
                "altitudes without an `altitudeMode`, taken as above sea level (2 times)",
            ])
        #expect(line.unplaced.count == 1)
    }

    @Test func aMissingTimeGivesNoPointTheTimeOfAnother() throws {
        let alternating = Self.times[0] + Self.places[0] + Self.places[1] + Self.times[2] + Self.places[2]
        #expect(seconds(try read(alternating).line) == [0, nil, 2])
        // In lists it is not known which is missing.
        let lists = Self.times[0] + Self.times[2] + Self.places.joined()
        let line = try read(lists).line
        #expect(seconds(line).allSatisfy { $0 == nil })
        #expect(line.doubts.contains { $0.hasPrefix("2 times for 3 positions") })
    }

    /// Damage of one start tag: the times behind it are known by their order.
    @Test func aLostPositionKeepsItsPlace() throws {
        let damaged = Self.places[1].replacing("coord>8", with: "coord.8", maxReplacements: 1)
        let all = [Self.times[0], Self.places[0], Self.times[1], damaged, Self.times[2], Self.places[2]]
        let (line, document) = try read(all.joined(separator: "\n"))
        #expect(seconds(line) == [0, 2])
        #expect(document.account?.addsUp == true)
    }

    /// Items of a track without their end tags.
    @Test(arguments: [
        "<when>2026-06-06T08:00:01<gx:coord>8 47.001 500</gx:coord>",
        "<when>2026-06-06T08:00:01Z</when><gx:coord>8 47.001 5",
    ])
    func anItemWithoutItsEndTag(item: String) throws {
        let (line, document) = try read(
            Self.times[0] + Self.places[0] + item + Self.times[2] + Self.places[2])
        #expect([[0, 2], [0, nil, 2]].contains(seconds(line)), "\(seconds(line))")
        #expect(document.account?.addsUp == true)
    }

    /// Damaged names and end tags take nothing of the items behind them along.
    @Test(arguments: [
        "<when>2026-06-06T08:00:01Z</when><gx:coon><gx:coord>8 47.001 500</gx:coord>",
        "<when>2026-06-06T08:00:01Z<xwhen><gx:coord>8 47.001 500</gx:coord>",
        "<when>2026-06-06T08:00:01Z</when><gx:coord>8 47.001 500<oord>",
        "<when>2026-06-06T08:00:01Z</when><gxJ:coord>8 47.001 500</gx:coord>",
    ])
    func aDamagedItemCostsNoOther(item: String) throws {
        let last = "<when>2026-06-06T08:00:03Z</when><gx:coord>8 47.003 500</gx:coord>"
        let (line, document) = try read(
            [Self.times[0], Self.places[0], item, Self.times[2], Self.places[2], last].joined(separator: "\n")
        )
        #expect([[0, 2, 3], [0, nil, 2, 3], [0, 1, 2, 3]].contains(seconds(line)), "\(seconds(line))")
        #expect(document.account?.addsUp == true)
    }

    /// A track without its end tags is not that of the next placemark.
    @Test func aTrackEndsWhereTheNextPlacemarkBegins() throws {
        let next =
            "<Placemark><name>B</name><gx:Track>\(Self.times.joined())\(Self.places.joined())</gx:Track></Placemark>"
        let (_, document) = try read(
            Self.times[0] + Self.places[0] + Self.times[1] + Self.places[1] + next)
        #expect(document.tracks.map(\.name) == [nil, "B"])
        #expect(document.tracks.map(\.pointCount) == [2, 3])
        #expect(document.account?.addsUp == true)
    }

    @Test func valuesOfSensorsAreOfTheirPoint() throws {
        let values = """
            <ExtendedData><SchemaData><gx:SimpleArrayData name="heartrate"><gx:value>100</gx:value><gx:value/>\
            <gx:value>102</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData>
            """
        let line = try read(Self.times.joined() + Self.places.joined() + values).line
        #expect(line.segments[0].map(\.heartRate) == [100, nil, 102])
    }

    @Test func blanksAfterCommas() throws {
        let text = """
            <kml><Placemark><LineString><altitudeMode>absolute</altitudeMode><coordinates>8.0, 47.0, 500
            8.1, 47.1, 501 8.2 ,47.2 x,y</coordinates></LineString></Placemark></kml>
            """
        let file = try TrackFile(SourceBytes(Array(text.utf8), name: "a.kml"))
        let points = try #require(file.document.tracks.first).segments[0]
        #expect(points.map(\.coordinate.latitude) == [47, 47.1, 47.2])
        #expect(points.map(\.coordinate.altitude) == [500, 501, nil])
    }
}
