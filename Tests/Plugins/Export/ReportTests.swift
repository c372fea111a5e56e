import CivilTime
import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// The printed report, inspected with the tools of poppler.
@Suite(
    .enabled(if: Tools.has("pdftotext", "pdfinfo", "pdffonts", "pdfimages"), "poppler-utils is not installed")
)
struct ReportTests {
    private func text(_ test: TestSession, _ name: String, page: Int? = nil) throws -> String {
        let pages = page.map { ["-f", String($0), "-l", String($0)] } ?? []
        return try Tools.run("pdftotext", ["-layout"] + pages + [test.url(name).path, "-"]).output
    }

    private func info(_ test: TestSession, _ name: String) throws -> String {
        try Tools.run("pdfinfo", [test.url(name).path]).output
    }

    @Test func pagesTextAndMetadataOfAHike() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        #expect(await test.run("export a.pdf Walk") == "4 pages written to a.pdf")
        let facts = try info(test, "a.pdf")
        #expect(facts.contains("Title:           Walk\n"))
        #expect(facts.contains("Page size:       595 x 842 pts (A4)"))
        #expect(facts.contains("Pages:           4\n"))
        // The date of the hike's last change, not the present.
        #expect(facts.contains("CreationDate:    Fri Feb  6 08:00:00 2026"))
        #expect(facts.contains("ModDate:         Fri Feb  6 08:00:00 2026"))
        let first = try text(test, "a.pdf", page: 1)
        for words in [
            "Walk", "5 February 2026, 08:00 to 08:15 (UTC)", "334 m", "40 m", "10 m", "110 bpm", "120 bpm",
            "N/A",
            "4.0 km/h", "Start", "Finish", "2 Bench",
        ] { #expect(first.contains(words), "\(words): \(first)") }
        let second = try text(test, "a.pdf", page: 2)
        for words in ["Elevation", "Minimum", "500 m", "540 m", "elevation (m)", "distance (m)"] {
            #expect(second.contains(words), "\(words): \(second)")
        }
        let third = try text(test, "a.pdf", page: 3)
        for words in ["Pace", "pace (min/km)"] { #expect(third.contains(words), "\(words): \(third)") }
        let last = try text(test, "a.pdf", page: 4)
        for words in [
            "Waypoints", "Bench", "Viewpoint", "46.50100, 7.90000", "A view", "Comments", "Fog & sun",
        ] {
            #expect(last.contains(words), "\(words): \(last)")
        }
        #expect(last.contains("Page 4 of 4"))
        // Every font is embedded, with its mapping to characters.
        let fonts = try Tools.run("pdffonts", [test.url("a.pdf").path]).output.split(separator: "\n")
            .dropFirst(2)
        #expect(!fonts.isEmpty)
        for font in fonts { #expect(font.contains(" yes yes yes ")) }
    }

    /// Several hikes make one report: a list with totals first, then each with its own title at the foot.
    @Test func severalHikesMakeOneReport() async throws {
        let flat = """
            <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Flat and long as a title that does not fit one line</name>
            <trkseg><trkpt lat="46" lon="8"><time>2026-02-07T09:00:00Z</time></trkpt><trkpt lat="46.01" lon="8">
            <time>2026-02-07T09:20:00Z</time></trkpt></trkseg></trk></gpx>
            """
        var files = Walk.files
        files["flat.gpx"] = Data(flat.utf8)
        let test = try TestSession.exporting(files)
        await test.run("let a = import walk.gpx --dry-run")
        await test.run("let b = import flat.gpx --dry-run")
        #expect(await test.run("[$a $b] | export week.pdf").contains("pages written to week.pdf"))
        let facts = try info(test, "week.pdf")
        #expect(facts.contains("Title:           2 hikes\n"))
        let first = try text(test, "week.pdf", page: 1)
        for words in [
            "2 hikes", "5 February 2026, 08:00 to 7 February 2026, 09:20 (UTC)", "2026-02-05", "2026-02-07",
            "334 m",
            "1.11 km", "1.45 km", "N/A",
            "Total elevation gain and loss: without 1 of 2, for which it is unknown.",
            "Flat and long as a title",
        ] { #expect(first.contains(words), "\(words): \(first)") }
        // The total includes known values only.
        #expect(!first.contains("Total distance: without"))
        let second = try text(test, "week.pdf", page: 2)
        #expect(second.contains("Start") && second.contains("Finish"))
        let pages = facts.split(separator: "\n").first { $0.hasPrefix("Pages:") }?.split(separator: " ").last
        let last = try text(test, "week.pdf", page: Int(pages ?? ""))
        #expect(last.contains("Flat and long") && last.contains("Page \(pages ?? "") of \(pages ?? "")"))
    }

    @Test func anyScriptShowsAndAMissingLetterIsTold() async throws {
        let gpx = """
            <gpx><wpt lat="1" lon="2"><name>Zürich Ελλάδα Москва</name></wpt><wpt lat="1" lon="2.01"><name>\u{10FFFF}</name>
            <desc>\u{E123}</desc></wpt></gpx>
            """
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        let shown = await test.run("import a.gpx --dry-run | export a.pdf")
        #expect(shown.contains("no installed font has"))
        #expect(shown.contains("U+E123"))
        #expect(try text(test, "a.pdf").contains("Zürich Ελλάδα Москва"))
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/share/fonts/truetype/noto"),
            "fonts-noto-core is not installed"))
    func scriptsOfTheWorld() async throws {
        let names = ["عين الماء", "हिमालय", "בית", "ภูเขา", "წყარო", "Հայաստան"]
        let points = names.enumerated().map { "<wpt lat=\"1\" lon=\"2.0\($0)\"><name>\($1)</name></wpt>" }
        let test = try TestSession.exporting(["a.gpx": Data("<gpx>\(points.joined())</gpx>".utf8)])
        #expect(await test.run("import a.gpx --dry-run | export a.pdf") == "2 pages written to a.pdf")
        // A PDF keeps the letters in the order they are drawn.
        let text = try text(test, "a.pdf")
        for name in ["ภูเขา", "წყარო", "Հայաստան"] { #expect(text.contains(name), "\(name)") }
    }

    @Test func longTablesAndTextsFlowOntoFurtherPages() async throws {
        let long = String(repeating: "A long note that tells all there is to tell. ", count: 150)
        let points = (1...120).map { number in
            "<wpt lat=\"46.\(1000 + number)\" lon=\"7.9\"><name>Place \(number) \(number == 7 ? long : "")</name>"
                + "<desc>\(number == 50 ? long : "note \(number)")</desc></wpt>"
        }
        let comment = (1...200).map { "Line \($0) of the comment." }.joined(separator: "\n")
        let gpx = "<gpx><metadata><desc>\(comment)</desc></metadata>\(points.joined())</gpx>"
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        try await test.value("import a.gpx --dry-run | export a.pdf")
        let all = try text(test, "a.pdf")
        for number in 1...120 { #expect(all.contains("Place \(number)")) }
        for number in 1...200 { #expect(all.contains("Line \(number) of the comment.")) }
        // Each of the 300 sentences of both long texts; a page footer can be within one of them.
        let words = all.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.components(separatedBy: "tells all there is").count - 1 >= 290)
        let pages = all.split(separator: "\u{C}")
        #expect(pages.count > 8)
        // The header of the table is on each of its pages.
        #expect(all.components(separatedBy: "Latitude, longitude").count - 1 >= 5)
        for (index, page) in pages.enumerated() where !page.allSatisfy(\.isWhitespace) {
            #expect(page.contains("Page \(index + 1) of \(pages.count)") || index == pages.count - 1)
        }
    }

    /// JPEG photos of a size, all different.
    private static func photo(_ seed: UInt8, width: Int, height: Int) throws -> Data {
        var scene = Scene(
            size: SceneSize(width: Double(width), height: Double(height)), background: Color(0x204060))
        scene.add(
            .circle(
                center: ScenePoint(Double(width) / 3, Double(height) / 3), radius: Double(seed) + 20,
                fill: Fill(Color(0xE0A020)), stroke: nil))
        return try Photos.uprightJPEG(try ScenePNG.render(scene))
    }

    @Test(.needs(.photos)) func photosAndWhatIsNone() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let store = try test.waypointStore
        let places = try store.all()
        let hike = try #require(try test.hikeStore.all().first)
        for (index, place) in places.enumerated() {
            var with = place
            with.hasPhoto = true
            let data = index == 0 ? try Self.photo(1, width: 300, height: 500) : Data("no photo".utf8)
            #expect(try store.update(place, to: with, photo: WaypointPhoto(photo: data, thumbnail: nil)))
        }
        let value = try await test.value("export a.pdf '\(hike.name)'")
        guard case .list(let warnings)? = value.field("warnings"), case .text(let warning)? = warnings.first
        else {
            Issue.record("there is no warning")
            return
        }
        #expect(warnings.count == 1)
        #expect(warning.contains("was omitted: not a JPEG, PNG or HEIC image"))
        #expect(try text(test, "a.pdf", page: 4).contains("Photos"))
        let images = try Tools.run("pdfimages", ["-list", test.url("a.pdf").path]).output
        #expect(images.split(separator: "\n").count == 3)
        #expect(images.contains("jpeg"))
    }

    /// A photo full of small discs, which no JPEG makes small.
    private static func busyPhoto(_ seed: Int) throws -> Data {
        var scene = Scene(size: SceneSize(width: 2000, height: 1500), background: Color(0x204060))
        var state = UInt64(seed + 1)
        func next(_ limit: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24) * limit
        }
        for _ in 0..<8000 {
            scene.add(
                .circle(
                    center: ScenePoint(next(2000), next(1500)), radius: 4 + next(12),
                    fill: Fill(Color(UInt32(next(0xFFFFFF)))), stroke: nil))
        }
        return try Photos.uprightJPEG(try ScenePNG.render(scene))
    }

    /// The seed: a hike with 5 to 10 photos stays under 10 MB.
    @Test(.needs(.photos)) func tenPhotosStayBelowTenMegabytes() async throws {
        let points = (0..<10).map {
            "<wpt lat=\"46.50\($0)\" lon=\"7.9\"><time>2026-02-05T08:0\($0):00Z</time><name>Photo \($0)</name></wpt>"
        }.joined()
        let gpx = Walk.gpx.replacing("<trk>", with: points + "<trk>")
        let test = try TestSession.exporting(["walk.gpx": Data(gpx.utf8)])
        try await test.value("import walk.gpx")
        let store = try test.waypointStore
        var before = 0
        for (index, place) in try store.all().filter({ $0.label.hasPrefix("Photo") }).enumerated() {
            var with = place
            with.hasPhoto = true
            let photo = try Self.busyPhoto(index)
            before += photo.count
            #expect(try store.update(place, to: with, photo: WaypointPhoto(photo: photo, thumbnail: nil)))
        }
        let value = try await test.value("export a.pdf Walk")
        guard case .integer(let bytes)? = value.field("bytes"),
            case .list(let warnings)? = value.field("warnings")
        else {
            Issue.record("there are no bytes")
            return
        }
        #expect(bytes < 10_000_000)
        // All ten are in it, smaller than they were.
        #expect(bytes > 200_000 && bytes < before)
        #expect(warnings.isEmpty)
    }

    @Test func timesOfOtherDaysHaveTheirDate() async throws {
        let gpx = """
            <gpx><wpt lat="46.5" lon="7.9"><time>2026-12-31T22:00:00Z</time></wpt>
            <wpt lat="46.5" lon="7.9"><time>2026-06-07T04:05:00Z</time></wpt>
            <wpt lat="46.5" lon="7.9"><time>2027-01-02T04:05:00Z</time></wpt>
            <trk><trkseg><trkpt lat="46.5" lon="7.9"><time>2026-12-31T20:00:00Z</time></trkpt>
            <trkpt lat="46.53" lon="7.9"><time>2027-01-01T02:00:00Z</time></trkpt></trkseg></trk></gpx>
            """
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        try await test.value("import a.gpx --dry-run | export a.pdf")
        let last = try text(test, "a.pdf", page: 3)
        for words in ["22:00", "7 Jun 04:05", "2027-01-02"] { #expect(last.contains(words), "\(last)") }
        #expect(try text(test, "a.pdf", page: 2).contains("2027-01-01"))
        // Both state the same length.
        #expect(try text(test, "a.pdf", page: 1).contains("3.34 km"))
        #expect(try text(test, "a.pdf", page: 2).contains("3.34 km"))
    }

    @Test func aHikeWithoutPoints() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let store = try test.hikeStore
        try store.connection.write { db in try db.execute(sql: "UPDATE saved_routes SET track_data = x''") }
        try test.waypointStore.connection.write { db in try db.execute(sql: "DELETE FROM waypoints") }
        for format in ["gpx", "kml", "geojson", "community"] {
            #expect(await test.code("export - Walk --as \(format)") == "E-EXPORT-NOTHING")
        }
        #expect(await test.run("export - Walk --as markdown").contains("334 m"))
        #expect(await test.run("export a.pdf Walk") == "2 pages written to a.pdf")
        #expect(try text(test, "a.pdf").contains("No track was recorded."))
    }

    @Test func pointsThatAreNoneAreLeftOutWithAWarning() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let store = try test.hikeStore
        let hike = try #require(try store.all().first)
        var points = try store.track(of: hike)
        points[1].coordinate.latitude = .nan
        points[2].coordinate.longitude = 500
        points[3].coordinate.altitude = .infinity
        let blob = TrackCodec.encode(points, start: hike.startTime)
        try store.connection.write { db in
            try db.execute(sql: "UPDATE saved_routes SET track_data = ?", arguments: [blob])
        }
        for (format, name) in [
            ("gpx", "a.gpx"), ("kml", "a.kml"), ("geojson", "a.json"), ("pdf", "a.pdf"), ("markdown", "a.md"),
        ] {
            let shown = await test.run("export \(name) Walk --as \(format)")
            #expect(
                shown.contains("warning: 2 of 5 points have invalid coordinates and were omitted"), "\(shown)"
            )
        }
        #expect(!(try test.text("a.gpx").lowercased().contains("nan")))
        #expect(await test.run("import a.gpx --dry-run | get points") == "3")
        #expect(await test.run("import a.json --dry-run | get points") == "3")
    }

    @Test func aTrackThatLeadsNowhereIsNone() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let store = try test.hikeStore
        let hike = try #require(try store.all().first)
        var points = try store.track(of: hike)
        for index in 0..<3 { points[index].coordinate.latitude = .nan }
        let blob = TrackCodec.encode(points, start: hike.startTime)
        try store.connection.write { db in
            try db.execute(sql: "UPDATE saved_routes SET track_data = ?", arguments: [blob])
        }
        #expect(await test.code("export a.gpx Walk") == "E-STORE-TRACK")
        #expect(!FileManager.default.fileExists(atPath: test.url("a.gpx").path))
    }

    @Test func theMapIsDrawnOnTilesThatReach() async throws {
        let test = try TestSession.exporting(Walk.files)
        let tile = try ScenePNG.render(
            Scene(size: SceneSize(width: 64, height: 64), background: Color(0x00FF00)))
        try Self.writeTiles(to: test.url("region.mbtiles"), zoom: 16, tile: tile, bounds: "7.8,46.4,8,46.6")
        try Self.writeTiles(to: test.url("coarse.mbtiles"), zoom: 3, tile: tile, bounds: "-180,-85,180,85")
        await test.run("let w = import walk.gpx --dry-run")
        try await test.value("$w | export plain.pdf")
        try await test.value("$w | export tiles.pdf --tiles region.mbtiles")
        #expect(
            await test.code("$w | export coarse.pdf --tiles coarse.mbtiles") == "E-EXPORT-NOTHING")
        #expect(await test.code("$w | export x.pdf --tiles walk.gpx") == "E-STORE-NOTDB")
        let images = try Tools.run("pdfimages", ["-list", test.url("tiles.pdf").path]).output
        #expect(images.split(separator: "\n").count == 3)
        #expect(try text(test, "tiles.pdf", page: 1).contains("© Somebody"))
        // Those of the workspace are found without being named.
        let folder = test.url("workspace/regions")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: test.url("region.mbtiles"), to: folder.appendingPathComponent("region.mbtiles"))
        try await test.value("$w | export found.pdf")
        #expect(try test.data("found.pdf") == test.data("tiles.pdf"))
    }

    /// An MBTiles file of which all tiles are the same picture.
    private static func writeTiles(to url: URL, zoom: Int, tile: Data, bounds: String) throws {
        let store = try StoreConnection(url, access: .own)
        try store.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    """)
            for (name, value) in [
                ("name", "Test"), ("format", "png"), ("bounds", bounds),
                ("attribution", "<a href=\"x\">&copy; Somebody</a>"),
            ] { try db.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value]) }
            let center = WebMercator.project(Coordinate(latitude: 46.502, longitude: 7.9))
            let side = 1 << zoom
            let (x, y) = (Int(center.x * Double(side)), Int(center.y * Double(side)))
            for column in max(0, x - 8)...min(side - 1, x + 8) {
                for row in max(0, y - 8)...min(side - 1, y + 8) {
                    try db.execute(
                        sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                        arguments: [zoom, column, side - 1 - row, tile])
                }
            }
        }
    }
}
