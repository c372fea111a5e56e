import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit

/// `map tiles`
struct MapTilesCommand: CommandProvider {
    var name: String { "map tiles" }

    var command: Command {
        Command(
            name, "write a region's map as tiles for apps",
            details: """
                Writes an MBTiles 1.3 file of PNG tiles with the topographic map of an imported region, and its attribution. \
                The area is the region's unless --area is given. An interrupted run leaves FILE.part beside the file; \
                the same command resumes it. `map --base FILE.mbtiles` draws on the tiles.
                """,
            MapTilesOptions.parameters, output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "without a region there is no map", "expect-error E-MAP-BASE map tiles --zoom 8-16",
                    gives: "no imported region covers this area"),
                .init(
                    "zooms are a range", "expect-error E-MAP-REQUEST map tiles --out a.mbtiles --zoom x",
                    gives: "not a range of zooms: x"),
            ],
            searchTerms: [
                "mbtiles", "offline", "base map", "offline map", "tiles", "offline use", "background map",
            ]
        ) { context, options in
            try options.written(context)
        }
    }
}

/// Which tiles to write.
struct MapTilesOptions {
    private let out: URL?
    private let zooms: String
    private let area: BoundingBox?
    private let region: String?
    private let style: String
    private let scale: Int
    private let force: Bool

    static let parameters = Parameter<MapTilesOptions>.group(
        .option("out", .outputFile, "MBTiles file to write; default: REGION.mbtiles"),
        .option("zoom", .text, default: "8-14", "zooms, such as 8-16 or 14"),
        .option("area", .box, "area; default: all of the region"),
        .option(
            "region", .text,
            "name of the region; default: the only one, else the smallest that covers the area"),
        .option("style", .text, default: "light", "light, dark, print, or a style file"),
        .option("scale", .integer(1...4), default: "1", "pixels a point; 2 for sharp screens"),
        .flag("force", "overwrite an existing file"), make: MapTilesOptions.init)

    func written(_ context: Context) throws -> Value {
        let zooms = try range()
        let style = try MapStyle.named(MapBase.path(ofStyle: style, context))
        let (source, name) = try map(context)
        let out = try out ?? context.files.output(name + ".mbtiles")
        guard out.pathExtension.lowercased() == "mbtiles" else {
            throw PictureErrors.format(
                "\(out.lastPathComponent) is not an .mbtiles file", at: .parameter("out"),
                fix: "name it \(out.deletingPathExtension().lastPathComponent).mbtiles")
        }
        guard let area = area ?? source.bounds else {
            throw MapErrors.request(
                "the area of region \(name) is unknown", at: .parameter("area"),
                fix: "--area S,W,N,E")
        }
        guard source.covers(area) else {
            throw MapErrors.request(
                "the region \(name) does not cover this area", at: .parameter("area"))
        }
        let pyramid = try TilePyramid(area: area, zooms: zooms)
        let writer = try TileFileWriter(source, pyramid, name: name, style: style, scale: Double(scale))
        let report = try writer.write(to: out, force: force, progress: context.progress)
        return .record(
            Record([
                ("file", .text(out.lastPathComponent)), ("region", .text(name)),
                ("tiles", .integer(report.tiles)), ("resumed", .integer(report.resumed)),
                ("zooms", .text("\(zooms.lowerBound)-\(zooms.upperBound)")), ("area", .box(area)),
                ("attribution", .text(source.attribution)),
            ]))
    }

    /// `8-16` or `14`.
    private func range() throws -> ClosedRange<Int> {
        let ends = zooms.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
            first <= last
        else {
            throw MapErrors.request(
                "not a range of zooms: \(zooms)", at: .parameter("zoom"), fix: "write it as 8-16")
        }
        return first...last
    }

    /// The region's map with its name.
    private func map(_ context: Context) throws -> (MapSource, String) {
        let names = context.all((any BaseMap).self).flatMap { $0.regionNames(context) }
        if let region, !names.contains(region) {
            throw MapErrors.request(
                "unknown region \(region)", at: .parameter("region"),
                fix: "region list",
                suggestion: Suggestion.nearest(to: region, in: names))
        }
        guard region != nil || area != nil || names.count < 2 else {
            throw MapErrors.request(
                "there are \(names.count) regions", at: .parameter("region"),
                fix: "choose one with --region: " + names.joined(separator: ", "))
        }
        let box = area ?? BoundingBox(south: -90, west: -180, north: 90, east: 180)
        let name = region ?? (names.count == 1 ? names.first : nil)
        let found = try BaseMapChoice(of: box, region: name, context)
        if let map = found.ground as? any RegionMap { return (map.source, map.region) }
        if let notice = found.notice {
            throw MapErrors.lacking(notice, fix: "region import FILE --update")
        }
        if let name {
            throw MapErrors.lacking(
                "the region \(name) has no map features", at: .parameter("region"),
                fix: "region import FILE --name \(name)")
        }
        throw MapErrors.base(
            "no imported region covers this area", at: .parameter("area"), fix: "region import FILE")
    }
}
