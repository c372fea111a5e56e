import Archives
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// Each point of a file is used, kept without a position or left out, and counted once.
@Suite struct PointAccountTests {
    private func account(_ text: String, _ name: String) throws -> PointAccount {
        try #require(try TrackFile(SourceBytes(Array(text.utf8), name: name)).document.account)
    }

    private func point(_ latitude: String, _ second: Int, _ more: String = "") -> String {
        "<trkpt lat=\"\(latitude)\" lon=\"8\"><time>2026-07-04T08:00:0\(second)Z</time>\(more)</trkpt>"
    }

    @Test func pointsOfGPX() throws {
        let none = "<fix>none</fix>"
        let rate = "<extensions><hr>100</hr></extensions>"
        let points = [
            point("47", 0), point("x", 1), point("47.0001", 2), point("47.5", 3, none),
            point("47.5", 4, none + rate),
            "<trkpt lat=\"99\" lon=\"8\"/>", point("47.0002", 6),
        ]
        let text =
            "<gpx><wpt lat=\"47\" lon=\"8\"/><wpt lon=\"8\"/><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let whole = try account(text, "a.gpx")
        #expect(whole.addsUp)
        #expect(
            whole.words
                == "9 points: 4 used, 2 without a position, kept, 2 left out (without a position and a time), 1 left out (without a fix)"
        )
        let cut = try account(String(text.prefix(text.count - 60)), "a.gpx")
        #expect(cut.addsUp && cut.words.contains("1 left out (cut off by the end of the file)"))
    }

    /// Coordinates in elements whose names are damaged or missing are read, and counted once.
    @Test(arguments: [
        "<Placemark><LineStr><coordinates>8,47 8.1,47 8.2,47</coordinates></LineStr></Placemark>",
        "<Placemark><Poin><coordinates>8,47</coordinates></Poin></Placemark><Placemark><LineString><coordinates>8,47 8.1,47</coordinates></LineString></Placemark>",
        "<Placemark><gx:Trac><gx:coord>8 47 0</gx:coord><gx:coord>8.1 47 0</gx:coord><gx:coord>8.2 47 0</gx:coord></gx:Trac></Placemark>",
        "<Placemark><Point><coordinates>8,47</coordinates></Point><Placemark><LineString><coordinates>8,47 8.1,47</coordinates></LineString></Placemark></Placemark>",
    ])
    func elementsOfKMLThatAreDamaged(marks: String) throws {
        let account = try account(
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\(marks)</kml>",
            "a.kml")
        #expect(account.addsUp, "\(account)")
        #expect(account.seen == 3 && account.used == 3, "\(account)")
    }

    /// A file behind a file, both without the tags of their tracks.
    @Test func segmentsOutsideOfTracksInTwoFiles() throws {
        let one = "<gpx>=trk><trkseg>\(point("47", 0))\(point("47.0001", 1))</trkseg></trk></gpx>"
        let account = try account(one + one.replacing("47", with: "46"), "a.gpx")
        #expect(account.addsUp && account.used == 4, "\(account)")
    }

    @Test func segmentsThatRepeat() throws {
        let first = point("47", 0) + point("47.0001", 1)
        let text =
            "<gpx><trk><trkseg>\(first)</trkseg><trkseg>\(first)\(point("47.0002", 2))</trkseg></trk></gpx>"
        let account = try account(text, "a.gpx")
        #expect(account.addsUp)
        #expect(account.words == "5 points: 3 used, 2 left out (that a later segment repeats)")
    }

    @Test func rowsOfATable() throws {
        let text =
            "time,lat,lon\n2026-07-04T08:00:00Z,47,8\n2026-07-04T08:00:10Z,,\n2026-07-04T08:00:20Z,47.0001,8\n"
        let account = try account(text, "a.csv")
        #expect(account.addsUp)
        #expect(account.words == "3 points: 2 used, 1 left out (rows without a possible position)")
    }

    /// A point of a course without a position is not lost without a word, and what follows is read.
    @Test func pointsOfACourse() throws {
        let text = """
            <TrainingCenterDatabase><Courses><Course><Name>C</Name><Track>
            <Trackpoint><Time>2026-07-04T08:00:00Z</Time><Position><LatitudeDegrees>47</LatitudeDegrees>
            <LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>
            <Trackpoint><Time>2026-07-04T08:00:10Z</Time></Trackpoint><Trackpoint/></Track>
            <CoursePoint><Name>Hut</Name></CoursePoint><Notes>Steep</Notes></Course></Courses></TrainingCenterDatabase>
            """
        let file = try TrackFile(SourceBytes(Array(text.utf8), name: "a.tcx"))
        let account = try #require(file.document.account)
        #expect(account.addsUp)
        #expect(account.seen == 4 && account.used == 1 && account.unplaced == 1 && account.asideCount == 2)
        #expect(file.lines.first?.description == "Steep")
        #expect(file.lines.first?.doubts.contains("course points without a position, left out: 1") == true)
    }

    @Test(.enabled(if: RealData.has("gpx") && RealData.has("fit"), "needs the folder of real data"))
    func theAccountsOfRealFilesAddUp() throws {
        var count = 0
        for folder in ["gpx", "fit", "malformed"] where RealData.has(folder) {
            let root = RealData.url(folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
            for name in names {
                let url = root.appendingPathComponent(name)
                guard let source = try? SourceBytes(url), let file = try? TrackFile(source),
                    let account = file.document.account
                else { continue }
                count += 1
                #expect(account.addsUp, "\(name): \(account.words)")
            }
        }
        #expect(count > 20)
    }
}
