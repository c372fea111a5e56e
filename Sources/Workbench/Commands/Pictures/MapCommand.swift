import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit
import Synchronization

/// `map`
struct MapCommand: CommandProvider {
    var name: String { "map" }

    var command: Command {
        Command(
            name, "draw values that have a coordinate on a map",
            details: """
                Web Mercator. The map is fitted to its features unless --center and --zoom or --area are given. The \
                terminal shows it in braille, with --base topo over water, woods, ways and names of the topographic map; --out \
                writes SVG, PNG or PDF, on the topographic map of an imported region that covers the area. From bottom \
                to top: the base map, routes, tracks, waypoints, the current position. North is true north. A printed map, \
                with --scale, --style print or a grid of UTM, states magnetic north by the World Magnetic Model 2025 on the \
                session's date.
                """,
            MapOptions.parameters, input: .any, output: .value("map"), effect: .pure,
            examples: [
                .init(
                    "two coordinates, to a file", "[46.5,7.9 46.6,7.8] | map --out two.svg",
                    gives: "map written to two.svg"),
                .init("in the terminal", "[46.5,7.9 46.6,7.8] | map"),
                .init(
                    "on paper, where 4 cm are a kilometre",
                    "46.5,7.9 | map --scale 1:25000 --size a5 --out page.svg",
                    gives: "map written to page.svg"),
                .init(
                    "with the kilometres of UTM",
                    "46.5,7.9 | map --scale 1:25000 --grid utm --out grid.svg",
                    gives: "map written to grid.svg"),
                .init(
                    "pages of one scale around places",
                    "[46.5,7.9 46.6,7.8] | map --scale 1:25000 --atlas --out atlas.pdf",
                    gives: "map written to atlas.pdf; 2 pages and an index"),
            ],
            searchTerms: [
                "paper size",
                "heatmap",
                "save a map", "map picture", "png", "static map",
                "make a map", "plot points", "draw a map", "slope map", "avalanche", "contour lines",
                "contours", "hillshade",
                "relief", "draw points", "picture with a map", "satellite", "my track as an image", "zoom",
                "poster", "several tracks", "two routes in different colours",
            ]
        ) { input, context, options in
            if case .object(let object) = input, let picture = object as? any MapPicture,
                options.keepsPicture
            {
                return try options.drawing(of: picture, context)
            }
            return try options.drawing(of: input, context, nothing: Self.lack(input))
        }.deciding(
            "$places | map",
            after: [
                "waypoint add 46.5,7.9 --label Hut | get label",
                "waypoint add 46.5001,7.9001 --label Spring | get label",
                "let places = waypoint list",
            ])
    }
}

/// The options of every map command.
struct MapOptions {
    private let center: Coordinate?
    private let zoom: Double?
    private let scale: String?
    private let area: BoundingBox?
    private let title: String?
    private let width, height: Int
    private let size: String?
    private let rows: Int
    private let base: String?
    private let style: String
    private let dpi: Double
    private let color: TrackMeasure?
    private let grid: MapGrid?
    private let isAtlas: Bool
    private let hasSlopes: Bool
    private let hasNoLegend: Bool
    private let out: URL?
    private let force: Bool

    static let parameters = Parameter<MapOptions>.group(
        .option("center", .coordinate, "centre of the map"),
        .option(
            "zoom", .number(PictureCommandSettings.zooms),
            "Web Mercator zoom, 0…22, around --center or the middle of the features"),
        .option(
            "scale", .text, "scale on paper, such as 1:25000, in place of --zoom; at 72 points to the inch"),
        .option("area", .box, "area to show"),
        .option("title", .text, "title"),
        .option(
            "width", .integer(PictureCommandSettings.sizes), default: "640", "width of the file in points"),
        .option(
            "height", .integer(PictureCommandSettings.sizes), default: "400", "height of the file in points"),
        .option(
            "size", .text,
            "size of the file: a3, a4, a5 or letter, with -landscape, or points such as 800x600; in place of width and height"
        ),
        .option("rows", .integer(PictureCommandSettings.rows), default: "20", "rows in the terminal"),
        .option(
            "base", .text,
            "topo, plain (the ways of a route's region), none, or an .mbtiles file; default: topo in files where a region covers the area, else plain"
        ),
        .option(
            "style", .text, default: "light",
            "style of the base topo: light, dark, print, or a style file; app: routes and waypoints as the apps draw them"
        ),
        .option(
            "dpi", .number(PictureCommandSettings.resolutions), default: "144",
            "pixels of a PNG for 72 points"),
        .option("color", .choice(of: TrackMeasure.self), "colour tracks by a measured value"),
        .option(
            "grid",
            .choice(of: MapGrid.self) {
                switch $0 {
                case .degrees: "meridians and parallels"
                case .utm: "kilometres of UTM"
                case .mgrs: "squares and digits of MGRS"
                }
            }, "draw a grid: degrees, utm or mgrs"),
        .flag(
            "atlas", "with --scale: a PDF of pages along the ways, with an index; --size is that of a page"),
        .flag("slopes", "shade slopes over 30, 35 and 40 degrees, from the region's elevation"),
        .flag("no-legend", "omit the legend below the topographic map"),
        .option("out", .outputFile, "file to write, .svg, .png or .pdf"),
        .flag("force", "overwrite an existing file"), make: MapOptions.init)

    /// The map of a value, or of all that there is. Throws `E-PICTURE-NOTHING` with the message `nothing` when there is nothing
    /// to show.
    func drawing(
        of value: Value, _ context: Context, isAll: Bool = false, nothing: @autoclosure () -> String
    ) throws -> Value {
        let units = ScaleUnits(context.environment.units)
        let plain = styled(try MapFeatures.of(value))
        let features = styled(try color.map { try MapFeatures.of(value, coloredBy: $0, units) } ?? plain)
        var nearest = MapView.nearestZoom
        if case .object(let object) = value, let drawable = object as? any MapDrawable {
            nearest = drawable.nearestZoom
        }
        let scale = try scale.map(PrintScale.init)
        guard scale == nil || (zoom == nil && area == nil) else {
            throw CommonErrors.argumentRange(
                "--scale says how near the map is, and so does \(zoom == nil ? "--area" : "--zoom")",
                at: .parameter("scale"), fix: "give one of them; --center moves the map")
        }
        if isAtlas { return try self.atlas(features, scale, units, context, nothing()) }
        let isBeyond =
            features.contains { $0.coordinates.contains { $0.isValid && !$0.isOnMercator } }
            && !features.contains { $0.coordinates.contains(where: \.isOnMercator) }
        guard center != nil || area != nil || !isBeyond else {
            throw PictureErrors.nothing(
                "all of it lies near a pole, beyond 85.05° of latitude, where the map ends")
        }
        guard let view = view(features, try pageSize, scale, nearest: nearest) else {
            throw PictureErrors.nothing(
                nothing(),
                fix:
                    "pipe in places, hikes or routes: waypoint list | map; or show a place: map show --center LAT,LON"
            )
        }
        context.shownMap.show(ShownMap.View(view))
        let base = try MapBase(
            base, style: baseStyle, for: view, features, context, hasSlopes: hasSlopes, isAll: isAll)
        var furniture = furniture(units, scale)
        furniture.attribution = base.attribution
        if isPrinted {
            let north = MapNorth(of: view, at: context.clock.now, hasGrid: hasMetricGrid)
            (furniture.north, furniture.declination) = (north.lines, north.declination)
        }
        let map = MapScene(view: view, features: base.features(features), furniture: furniture)
        let asked = MapScene(view: view, features: features, furniture: furniture)
        let lacks = [asked.lack, isAll ? nil : asked.unshown].compactMap(\.self)
        let lack = lacks.isEmpty ? nil : lacks.joined(separator: "; ")
        var picture = map
        if grid == nil, view.zoom < MapBaseSettings.outlineZoom { picture.furniture.grid = .degrees }
        let drawn = picture
        let unseen = unseenInTerminal
        context.tracing?.keep(
            "labels of the map",
            from: .start(
                [("features", .integer(features.count))],
                why:
                    "pins, points, title and scale are placed first; each label then takes the first free of eight sides"
            ),
            candidates: map.labelChoices().lazy.map(Self.step),
            to: .end(
                [("zoom", .number((view.zoom * 100).rounded() / 100))],
                why: "every label is placed or omitted"))
        var cells = map
        cells.features = base.cellFeatures(features)
        cells.furniture.attribution = base.cellAttribution
        let colored = cells
        cells.features = base.cellFeatures(plain)
        let uncolored = cells
        // An explicit zoom is kept; a fitted map is fitted to the terminal.
        let keepsZoom = (zoom != nil || scale != nil) && area == nil
        let facts = Record([
            ("center", .coordinate(view.center)), ("zoom", .number((view.zoom * 100).rounded() / 100)),
            ("features", .integer(features.count { !$0.isMilestones })),
        ])
        let drawing = Drawing(
            typeName: "map", dpi: dpi,
            scene: { try scene(of: drawn, on: base, keepsZoom: keepsZoom) },
            text: { style, columns in
                // Without colours the classes of a scale look the same.
                let isLost = style.colors == .none && color != nil
                var text = try (isLost ? uncolored : colored).terminal(
                    columns: columns, rows: rows, style: style, keepsZoom: keepsZoom,
                    check: { try Interruption.check() }, ground: { try base.sketch(of: $0) })
                if isLost { text += "\nthe terminal has no colours: --out shows the scale" }
                if let unseen { text += "\n\(unseen)" }
                return lack.map { text + "\n" + TextWrap.wrapped($0, to: columns) } ?? text
            }, facts: facts)
        return try drawing.written(
            to: out, force: force,
            notice: {
                let notices = [lack, base.noticeAfterDrawing].compactMap(\.self)
                return notices.isEmpty ? nil : notices.joined(separator: "; ")
            })
    }

    /// What was asked for and only files have.
    private var unseenInTerminal: String? {
        hasSlopes ? "the terminal shows no slopes: --out FILE draws them" : nil
    }

    /// The style of the base map: the apps' looks are those of what lies on it.
    private var baseStyle: String { isAppStyle ? MapStyle.Palette.light.rawValue : style }
    private var isAppStyle: Bool { style == AppMapStyle.name }

    private func styled(_ features: [MapFeature]) -> [MapFeature] {
        isAppStyle ? AppMapStyle.applied(to: features) : features
    }

    private var hasMetricGrid: Bool { grid == .utm || grid == .mgrs }

    /// Whether the map is for use with a compass.
    private var isPrinted: Bool { scale != nil || style == MapStyle.Palette.print.rawValue || hasMetricGrid }

    private func furniture(_ units: ScaleUnits, _ scale: PrintScale?) -> MapFurniture {
        MapFurniture(
            title: title ?? "", scale: units, grid: grid, legend: !hasNoLegend, ratio: scale?.words ?? "")
    }

    /// Pages of one scale along the ways.
    private func atlas(
        _ features: [MapFeature], _ scale: PrintScale?, _ units: ScaleUnits, _ context: Context,
        _ nothing: String
    ) throws -> Value {
        guard let scale else {
            throw CommonErrors.argumentRange(
                "an atlas needs a scale", at: .parameter("atlas"), fix: "add --scale 1:25000")
        }
        guard center == nil else {
            throw CommonErrors.argumentRange(
                "the pages of an atlas follow the ways; --center moves a single map", at: .parameter("center")
            )
        }
        if let out, out.pathExtension.lowercased() != "pdf" {
            throw PictureErrors.format(
                "an atlas is a PDF, not \(out.lastPathComponent)", at: .parameter("out"),
                fix: "name it \(out.deletingPathExtension().lastPathComponent).pdf")
        }
        let size = try (size.map(PageSize.init) ?? PageSize(Self.atlasPage)).points
        let atlas = MapAtlas(of: features, size: size, zoom: scale.zoom)
        guard !atlas.isOverfull else {
            throw CommonErrors.argumentRange(
                "the atlas has more than \(MapAtlas.Settings.mostPages) pages at \(scale.words)",
                at: .parameter("scale"), fix: "use a smaller scale or a larger page")
        }
        let moment = context.clock.now
        let notices = Notices()
        let (baseName, style, hasSlopes, hasMetricGrid) = (base, baseStyle, hasSlopes, hasMetricGrid)
        let drawing = AtlasDrawing(
            atlas: atlas, features: features, furniture: furniture(units, scale), size: size,
            base: { view in
                let base = try MapBase(
                    baseName, style: style, for: view, features, context, hasSlopes: hasSlopes)
                notices.bases.withLock { $0.append(base) }
                return base
            },
            north: { MapNorth(of: $0, at: moment, hasGrid: hasMetricGrid) })
        guard let index = drawing.index, let first = atlas.pages.first else {
            throw PictureErrors.nothing(nothing, fix: "pipe in places, hikes or routes: waypoint list | map")
        }
        context.shownMap.show(ShownMap.View(index.view))
        let facts = Record([
            ("pages", .integer(atlas.pages.count)), ("scale", .text(scale.words)),
            ("center", .coordinate(first.center)), ("zoom", .number((first.zoom * 100).rounded() / 100)),
        ])
        let lack = index.lack
        let picture = Drawing(
            typeName: "map", dpi: dpi, scene: { try index.scene(on: drawing.base(index.view)) },
            pages: { try drawing.pages() },
            text: { style, columns in
                let text = index.terminal(columns: columns, rows: rows, style: style)
                let pages = "\(atlas.pages.count, of: "page") at \(scale.words); --out FILE.pdf writes them"
                return ([text, pages] + [lack].compactMap(\.self)).joined(separator: "\n")
            }, facts: facts)
        return try picture.written(
            to: out, force: force,
            notice: {
                var all = ["\(atlas.pages.count, of: "page") and an index"] + [lack].compactMap(\.self)
                for notice in notices.bases.withLock({ $0.compactMap(\.noticeAfterDrawing) })
                where !all.contains(notice) { all.append(notice) }
                return all.joined(separator: "; ")
            })
    }
    /// The paper of an atlas without `--size`.
    private static let atlasPage = "a4"

    /// The base maps of pages, which know afterwards what was missing.
    private final class Notices: Sendable {
        let bases = Mutex<[MapBase]>([])
    }

    /// The picture. If a page size is given, the map leaves room for its legend.
    private func scene(of map: MapScene, on base: MapBase, keepsZoom: Bool) throws -> Scene {
        var map = map
        let page = map.view.size
        var scene = try map.drawn(on: base)
        guard size != nil else { return scene }
        // A smaller map may need a shorter legend or a longer one.
        for _ in 0..<Self.fittings where scene.size.height > page.height {
            let height = map.view.size.height - (scene.size.height - page.height)
            guard height >= Double(PictureCommandSettings.sizes.lowerBound) else { return scene }
            let rest = SceneSize(width: page.width, height: height)
            map.view =
                keepsZoom
                ? MapView(center: map.view.center, zoom: map.view.zoom, size: rest)
                : map.view.resized(to: rest)
            scene = try map.drawn(on: base)
        }
        scene.size.height = max(scene.size.height, page.height)
        return scene
    }
    private static let fittings = 3

    private static let sides = [
        "right", "left", "below", "above", "above left", "above right", "below left", "below right",
    ]

    private static func step(_ choice: LabelChoice) -> TraceStep {
        let why =
            switch choice.outcome {
            case .placed: "first free side that does not cross a route"
            case .acrossRoute: "all free sides cross a route; first of them"
            case .noRoom: "no free side; label omitted"
            case .outside: "outside of the map"
            }
        return .candidate(
            [
                ("label", .text(choice.text)), ("side", Value(choice.side) { .text(sides[$0 - 1]) }),
                ("free", .integer(choice.free)),
            ], choice.side == nil ? .refused : .kept,
            why: why)
    }

    /// Whether no option changes the picture's area or scale.
    var keepsPicture: Bool {
        center == nil && zoom == nil && area == nil && size == nil && color == nil && scale == nil
            && grid == nil
            && title == nil && !hasSlopes && !isAtlas && !isAppStyle
    }

    /// An unchanged picture on the requested base map.
    func drawing(of picture: any MapPicture, _ context: Context) throws -> Value {
        let units = ScaleUnits(context.environment.units)
        let view = picture.mapView
        context.shownMap.show(ShownMap.View(view))
        let features = try picture.mapFeatures
        let base = try MapBase(base, style: baseStyle, for: view, features, context)
        let facts = Record([
            ("center", .coordinate(view.center)), ("zoom", .number((view.zoom * 100).rounded() / 100)),
            ("features", .integer(features.count)),
        ])
        let drawing = Drawing(
            typeName: "map", dpi: dpi, scene: { try picture.mapScene(units: units, on: base) },
            text: { style, columns in try picture.mapText(columns: columns, style: style, units: units) },
            facts: facts)
        return try drawing.written(to: out, force: force, notice: { base.noticeAfterDrawing })
    }

    /// The size of the picture, as one option or two.
    private var pageSize: SceneSize {
        get throws {
            try size.map(PageSize.init)?.points ?? SceneSize(width: Double(width), height: Double(height))
        }
    }

    private func view(
        _ features: [MapFeature], _ size: SceneSize, _ scale: PrintScale?, nearest: Double
    ) -> MapView? {
        if let area { return MapView(fitting: area, size: size, padding: 0) }
        let fitted = MapView(
            fitting: features.lazy.flatMap(\.coordinates), size: size, nearest: nearest)
        guard let center = center ?? fitted?.center else { return nil }
        let zoom = scale?.zoom(at: center) ?? zoom ?? fitted?.zoom ?? nearest
        return MapView(center: center, zoom: zoom, size: size)
    }
}

extension ShownMap.View {
    /// The centre and zoom of a drawn map.
    init(_ view: MapView) { self.init(center: view.center, zoom: view.zoom) }
}

extension MapCommand {
    /// Why a value has nothing to draw.
    private static func lack(_ value: Value) -> String {
        guard let rows = value.asRows, (try? rows.makeIterator().next()) == nil else {
            return "the value has no coordinates"
        }
        return "there are no rows to draw"
    }
}
