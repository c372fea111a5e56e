import Geodesy
import PluginKit

/// `stop list`
struct StopList: CommandProvider {
    let library: FeedLibrary
    static let limit = Parameter.option(
        "limit", .integer(1...TransitSettings.mostStops), default: "\(TransitSettings.regionLimit)",
        "maximum number of stops")

    var name: String { "stop list" }

    var command: Command {
        Command(
            name, "list the stops of a region, nearest to its centre first",
            details: """
                Reads an R*Tree index. If there are more stops than the limit, those nearest to the centre are returned and a \
                note reports the total; the same region always returns the same stops. Entrances and boarding areas are \
                excluded.
                """,
            .optional("region", .box, "south,west,north,east; default: the region of the timetable"),
            Self.limit,
            output: .rows(StopObject.columns), effect: .reads,
            examples: [
                .init(
                    "the four nearest to the centre",
                    "stop list 0.49,0.49,0.51,0.51 --limit 4 | select id name mode",
                    after: FeedExamples.feed,
                    gives: """
                        id    name             mode
                        CEN   Central Station  train
                        CEN2  Central Station  train
                        CEN1  Central Station  train
                        CEN3  Central Station  tram
                        """),
                .init("all stops", "stop list | count", after: FeedExamples.feed, gives: "119"),
                .init(
                    "across the antimeridian, without stops", "stop list -1,179,1,-179 | count",
                    after: FeedExamples.feed,
                    gives: "0"),
            ],
            searchTerms: [
                "stops in a zone",
                "all stops", "accessible stops", "stops without steps", "box", "map", "bounds",
                "all stations", "accessible stations",
            ]
        ) { context, box, limit in
            let timer = TransitLog.Timer()
            let feed = try library.feed(context)
            guard let box = try box ?? feed.stops.extent() else {
                return .rows(Rows(objects: [StopObject](), columns: StopObject.columns))
            }
            let found = try feed.stops.inside(box, limit: limit)
            TransitLog.write(.mapStopsLoaded, count: found.stops.count, timer, context)
            if let tracing = context.tracing {
                try StopSteps.keep(
                    found, around: box.center, in: box, radius: nil, limit, feed, tracing)
            }
            return found.rows(StopObject.columns, limit) { StopObject($0.stop) }
        }.deciding("stop list 0.49,0.49,0.51,0.51 --limit 4", after: FeedExamples.feed)
    }
}

/// `stop near PLACE`
struct StopNear: CommandProvider {
    let library: FeedLibrary

    var name: String { "stop near" }

    var command: Command {
        Command(
            name, "find stops around a coordinate, nearest first",
            details:
                "Candidates from an R*Tree index, then great-circle distance (haversine on a sphere of radius 6372.7976km).",
            .positional("place", .coordinate, "centre of the search"),
            .option("radius", .quantity(.length, in: 0...20_037_508), default: "500m", "search radius"),
            StopList.limit,
            output: .rows(StopObject.nearColumns), effect: .reads,
            examples: [
                .init(
                    "within 50 m", "stop near 0.5,0.5 --radius 50m | select distance id platform",
                    after: FeedExamples.feed,
                    gives: """
                        distance  id    platform
                              0m  CEN
                           40.1m  CEN2  2
                           40.1m  CEN1  1
                           44.5m  CEN3  A
                        """)
            ],
            searchTerms: [
                "nearest stop", "bus stop near me",
                "around", "nearby", "distance", "bus stop", "nearest station", "station",
                "bus stops around me", "nearest bus stop", "closest station", "walking distance to a stop",
            ]
        ) { context, place, radius, limit in
            let found = try library.feed(context).stops.near(place, radius: radius, limit: limit)
            if let tracing = context.tracing {
                let box = BoundingBox(center: place, radius: radius)
                try StopSteps.keep(
                    found, around: place, in: box, radius: radius, limit, library.feed(context), tracing)
            }
            return found.rows(StopObject.nearColumns, limit) { StopObject($0.stop, distance: $0.distance) }
        }.deciding("stop near 0.5,0.5 --radius 50m", after: FeedExamples.feed)
    }
}

extension Cut {
    /// The number of stops of a region that were not read; `nil` if all were.
    init?(stops loaded: Int, of total: Int) {
        self.init(
            missing: total - loaded, "only the \(loaded) nearest stops are read; choose a smaller region")
    }
}

extension FoundStops {
    /// The stops as rows. A limit that the user chose adds a note; the default limit marks the rows as incomplete.
    fileprivate func rows(
        _ columns: [String], _ limit: Int, _ object: ((stop: StopRecord, distance: Double)) -> StopObject
    ) -> Value {
        let cut = limit == TransitSettings.regionLimit ? Cut(stops: stops.count, of: total) : nil
        let note = total > stops.count && cut == nil ? "the \(stops.count) nearest of \(total) stops" : nil
        return .rows(Rows(objects: stops.map(object), columns: columns, note: note, cut: cut))
    }
}
