import Geodesy
import PluginKit

/// `region sketch NAME MAP`
struct SketchRegion: CommandProvider {
    let regions: RegionChoice

    var name: String { "region sketch" }

    var command: Command {
        Command(
            name, "create a small region from an ASCII map",
            details: """
                For lessons and tests. Ways come from --way, or as rows in the pipe with the columns path, name, highway, \
                surface, sac_scale, oneway and any other tag. A way without highway is a path; \
                `trail=NAME` adds a marked trail along it. A ring with `area=yes` is a square, which can be crossed. Returns \
                the coordinates of the letters: `let p = region sketch …; route plan $p.A $p.B`.
                """,
            .positional("name", .text, "name of the region"),
            .positional(
                "map", .text, "lines of text: each letter or digit is a node, other characters are decoration"
            ),
            .options(
                "way", .text,
                "way: its letters, then tags such as name=Mill Lane highway=track; repeatable"
            ),
            .options("height", .text, "elevations in metres, such as 'A=500 B=620'; repeatable"),
            .options(
                "node", .text, "obstacle at a letter, such as 'B barrier=gate locked=yes'; repeatable"),
            .option(
                "column", .quantity(.length, in: 1...10_000), default: "50m",
                "width of a character; lines are twice as high"),
            .option("at", .coordinate, "upper left corner; default: 47,9"),
            .flag("replace", "replace a region of the same name"),
            input: .optional(.rows(["path", "name", "highway", "surface", "sac_scale", "oneway"])),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "three nodes in a row", "region sketch row 'A--B--C' --way 'ABC name=Main Street'",
                    gives: """
                        A  47,9
                        B  47,9.001977
                        C  47,9.003955
                        """),
                .init(
                    "every letter must be on the map",
                    "expect-error E-REGION-SKETCH region sketch x 'A-B' --way ABX",
                    gives: "way 1 passes X, which is not on the map"),
            ], searchTerms: ["lesson", "ascii", "draw"]
        ) { input, context, name, map, way, height, node, column, at, replace in
            let map = SketchText.map(map)
            var ways = try way.map(SketchText.way)
            ways += try SketchText.ways(in: input)
            guard !ways.isEmpty else {
                throw RegionErrors.sketch("the sketch has no way", fix: "--way 'ABC name=Main Street'")
            }
            var scale = RegionSketch.Scale(column: column)
            if let origin = at { scale.origin = origin.withoutAltitude }
            let folder = try regions.folder(context)
            let existed = folder.names.contains(name)
            try RegionImport(into: folder, progress: context.progress).sketch(
                map: map, ways: ways, heights: SketchText.heights(height),
                obstacles: SketchText.obstacles(node), scale: scale, name: name, replaces: replace)
            if !existed { RegionUndo.record("sketched region \(name)", name, in: folder, regions, context) }
            // Nodes are numbered in the order of their letters.
            let network = try RegionSketch.network(map: map, ways: ways, scale: scale)
            let nodes = network.nodes
            let places = RegionSketch.letters(of: map).enumerated().map { index, letter in
                let place = Coordinate(latitude: nodes.latitude[index], longitude: nodes.longitude[index])
                return (String(letter), Value.coordinate(place))
            }
            var record = Record(places)
            let notices = SketchText.notices(of: ways, uncrossed: network.uncrossedAreas)
            if !notices.isEmpty { record["notices"] = .list(notices.map(Value.text)) }
            return .record(record)
        }
    }
}

/// The syntax of sketches.
enum SketchText {
    /// What is said of areas that cannot be crossed.
    static func notices(of ways: [RegionSketch.Way], uncrossed: Int) -> [String] {
        let open = ways.enumerated().filter { $1.tags["area"] == "yes" && $1.path.first != $1.path.last }
        var notices = open.map { index, way in
            "way \(index + 1), \(way.path), has area=yes but does not return to \(way.path.prefix(1)): it is a line, not a square"
        }
        if uncrossed > 0 {
            notices.append(
                "\(uncrossed, of: "square") cannot be crossed, as the edge touches itself; routes follow the edge"
            )
        }
        return notices
    }

    /// The map without an empty first line, so that it can begin below the quote.
    static func map(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 1, lines[0].allSatisfy(\.isWhitespace) { lines.removeFirst() }
        return lines.joined(separator: "\n")
    }

    /// A way as `ABC name=Mill Lane highway=track`: a tag's value ends at the next word with a `=`.
    static func way(_ text: String) throws -> RegionSketch.Way {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let path = words.first else {
            throw RegionErrors.sketch("a way is empty", at: .parameter("way"))
        }
        var tags: [(key: String, value: String)] = []
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[0].isEmpty {
                tags.append((String(parts[0]), String(parts[1])))
            } else if tags.isEmpty {
                throw RegionErrors.sketch(
                    "`\(word)` of way \(path) is not a tag", at: .parameter("way"),
                    fix: "\(path) name=\(word)")
            } else {
                tags[tags.count - 1].value += " " + word
            }
        }
        return way(path, Dictionary(tags.map { ($0.key, $0.value) }) { $1 })
    }

    /// The ways from rows of the pipe.
    static func ways(in input: Value) throws -> [RegionSketch.Way] {
        if case .nothing = input { return [] }
        return try input.rows("rows of ways", for: "region sketch").collect().map { row in
            var tags: [String: String] = [:]
            for name in row.fieldNames ?? [] {
                if case .text(let text)? = row.field(name), !text.isEmpty { tags[name] = text }
                if case .boolean(let flag)? = row.field(name) { tags[name] = flag ? "yes" : "no" }
            }
            guard let path = tags.removeValue(forKey: "path") else {
                throw RegionErrors.sketch("a row has no `path` with the letters of its way")
            }
            return way(path, tags)
        }
    }

    private static func way(_ path: String, _ tags: [String: String]) -> RegionSketch.Way {
        var rest = tags
        let name = rest.removeValue(forKey: "name")
        let highway = rest.removeValue(forKey: "highway") ?? "path"
        return RegionSketch.Way(path, name: name, highway: highway, tags: rest)
    }

    /// Obstacles as `B barrier=gate locked=yes`.
    static func obstacles(_ texts: [String]) throws -> [Character: [String: String]] {
        var obstacles: [Character: [String: String]] = [:]
        for text in texts {
            let way = try way(text)
            guard way.path.count == 1, let letter = way.path.first else {
                throw RegionErrors.sketch(
                    "`\(way.path)` is not one letter", at: .parameter("node"), fix: "'B barrier=gate'")
            }
            guard WayRules.isObstacle(way.tags) else {
                throw RegionErrors.sketch(
                    "the tags of \(letter) are not an obstacle", at: .parameter("node"),
                    fix: "'B barrier=gate'")
            }
            obstacles[letter] = way.tags
        }
        return obstacles
    }

    /// Heights as `A=500 B=620`.
    static func heights(_ texts: [String]) throws -> [Character: Double] {
        var heights: [Character: Double] = [:]
        for word in texts.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
            let parts = word.split(separator: "=")
            guard parts.count == 2, parts[0].count == 1, let letter = parts[0].first,
                let height = Double(parts[1].hasSuffix("m") ? parts[1].dropLast() : parts[1]), height.isFinite
            else {
                throw RegionErrors.sketch(
                    "`\(word)` is not an elevation", at: .parameter("height"), fix: "A=500")
            }
            heights[letter] = height
        }
        return heights
    }
}
