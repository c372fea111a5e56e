import Archives
import Testing

@testable import Formats

/// Files that declare an encoding which their bytes contradict.
struct ContradictedDeclarationTests {
    private func file(_ text: String, _ name: String = "a.gpx") throws -> TrackFile {
        try TrackFile(SourceBytes(Array(text.utf8), name: name))
    }

    @Test(arguments: ["utf-16", "UTF-16", "UCS-2", "utf-16le"])
    func wideCharactersThatAreNot(encoding: String) throws {
        let read = try file(
            "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><gpx><wpt lat='1' lon='2'><name>Zürich</name></wpt></gpx>"
        )
        #expect(read.document.waypoints.first?.name == "Zürich")
        #expect(read.document.notices.contains { $0.contains("read as UTF-8") })
    }

    @Test func damageBehindIt() throws {
        let read = try file(
            "<?xml version='1.0' encoding='utf-16'?>\n<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' <\n<trkpt lat='1' lon='2.1'/></trkseg></trk></gpx>"
        )
        #expect(read.lines.reduce(0) { $0 + $1.pointCount } == 2)
    }

    /// Only `lat` and `lon` are attributes of a point.
    @Test func otherAttributesOfPointsAreSaid() throws {
        let read = try file("<gpx><wpt lat='1' lon='2' ele='500' time='x'/><wpt lat='1' lon='2'/></gpx>")
        #expect(read.document.notices.contains("wpt/attribute ele was ignored"))
        #expect(read.document.notices.contains("wpt/attribute time was ignored"))
    }

    /// The transition of a race of several sports is an activity of its own, as in FIT.
    @Test func aTransitionIsKept() throws {
        func lap(_ tag: String, _ first: Int) -> String {
            let points = (first..<first + 3).map {
                "<Trackpoint><Time>2026-06-06T08:0\($0):00Z</Time><Position><LatitudeDegrees>47.00\($0)</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>"
            }
            return
                "<\(tag) StartTime=\"2026-06-06T08:0\(first):00Z\"><TotalTimeSeconds>120</TotalTimeSeconds><Track>\(points.joined())</Track></\(tag)>"
        }
        let text =
            "<TrainingCenterDatabase><Activities><MultiSportSession><FirstSport><Activity Sport=\"Running\">\(lap("Lap", 0))</Activity></FirstSport><NextSport>\(lap("Transition", 3))<Activity Sport=\"biking\">\(lap("Lap", 6))</Activity></NextSport></MultiSportSession></Activities></TrainingCenterDatabase>"
        let read = try file(text, "a.tcx")
        #expect(read.document.tracks.map(\.type) == ["running", "transition", "cycling"])
        #expect(read.document.tracks.map(\.pointCount) == [3, 3, 3])
        #expect(read.document.tracks.map(\.laps.count) == [1, 1, 1])
        #expect(read.document.account?.addsUp == true)
    }

    /// A device's count of metres that begins anew goes on; a wrong number among right ones does not begin anew.
    @Test(
        arguments: [
            ([0, 100, 200, 0, 100, 200], [0, 100, 200, 200, 300, 400]),
            ([0, 100, 0, 300, 400], [0, 100, 0, 300, 400]),
        ] as [([Double], [Double])])
    func countsThatBeginAnew(counts: [Double], expected: [Double]) throws {
        let points = counts.enumerated().map {
            "<Trackpoint><Time>2026-06-06T08:0\($0):00Z</Time><DistanceMeters>\($1)</DistanceMeters></Trackpoint>"
        }
        let read = try file(
            "<TrainingCenterDatabase><Activities><Activity><Lap><Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>",
            "a.tcx")
        #expect(read.lines[0].unplaced.compactMap(\.sensors.distance) == expected)
        #expect(read.lines[0].doubts.contains { $0.contains("begins anew") } == (counts != expected))
    }

    @Test func positionsOfATrackOfKMLWithCommas() throws {
        let read = try file(
            "<kml xmlns:gx='g'><Placemark><gx:Track><when>2026-06-06T08:00:00</when><gx:coord>8,47,500</gx:coord></gx:Track></Placemark></kml>",
            "a.kml")
        #expect(read.lines[0].segments[0][0].coordinate.longitude == 8)
        #expect(read.lines[0].doubts.contains("positions of a track with commas for blanks, read (1 time)"))
        #expect(read.lines[0].doubts.contains("times without a zone, taken as UTC (1 time)"))
    }
}

/// What FIT writes for no value, in files that were converted from it.
struct ConvertedSentinelTests {
    @Test func theGreatestNumbersAreNone() throws {
        let point =
            "<Trackpoint><Time>2026-06-06T08:00:00Z</Time><Position><LatitudeDegrees>47</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position><DistanceMeters>42949672.95</DistanceMeters><Extensions><TPX><Speed>65.535</Speed></TPX></Extensions></Trackpoint>"
        let text =
            "<TrainingCenterDatabase><Activities><Activity><Lap StartTime='2026-06-06T08:00:00Z'><TotalTimeSeconds>4294967.295</TotalTimeSeconds><DistanceMeters>42949672.95</DistanceMeters><MaximumSpeed>65.535</MaximumSpeed><Calories>65535</Calories><Track>\(point)</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
        let line = try #require(
            try TrackFile(SourceBytes(Array(text.utf8), name: "a.tcx")).document.tracks.first)
        #expect(line.totals == nil && line.calories == nil)
        #expect(line.laps[0].distance == nil && line.laps[0].seconds == nil)
        #expect(line.laps[0].maximumSpeed == nil)
        #expect(line.segments[0][0].sensors == PointSensors())
    }

    /// A program that writes the newest segment first; segments that overlap stay as they are.
    @Test(arguments: [([5, 0], [0, 5]), ([5, 3], [5, 3])])
    func segmentsAreInTheOrderOfTime(starts: [Int], expected: [Int]) throws {
        let segments = starts.map { start in
            "<trkseg>"
                + (start..<start + 5).map {
                    "<trkpt lat='47.00\($0)' lon='8'><time>2026-06-06T08:0\($0):00Z</time></trkpt>"
                }.joined() + "</trkseg>"
        }
        let text = "<gpx><trk>\(segments.joined())</trk></gpx>"
        let line = try TrackFile(SourceBytes(Array(text.utf8), name: "a.gpx")).lines[0]
        let minutes = line.segments.compactMap { $0.first?.time?.milliseconds }.map { $0 / 60_000 % 60 }
        #expect(minutes == expected.map(Int64.init))
    }
}
