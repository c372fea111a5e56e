import Archives
import Core
import Foundation
import Geodesy

/// The formats of files with tracks, routes and waypoints.
public enum TrackFormat: String, CaseIterable, Sendable {
    case gpx, fit, tcx, kml, geojson
    /// A log of a receiver in NMEA 0183.
    case nmea
    /// A history of places of a Google account.
    case timeline
    /// A table of points.
    case table
    /// JSON of records that each have a position and a time.
    case records
    /// An activity as the service of a watch exports it.
    case service
    /// A flight recording.
    case igc
    /// A track of OziExplorer.
    case plt

    /// Extensions of the files that are read from folders and archives; tables and histories are known by their content alone.
    public static let extensions = Set([gpx, fit, tcx, kml, geojson, nmea, igc, plt].map(\.rawValue))

    /// The format of a file from its first bytes; `nil` if it is none of these. Only where they say nothing that contradicts it,
    /// the name decides, so that the error is of that format. Throws `E-FILE-ACCESS`.
    public init?(recognising source: SourceBytes) throws(RutterError) {
        let head = try source.bytes(at: 0, count: Self.recognised)
        let named = Self(rawValue: (source.name as NSString).pathExtension.lowercased())
        if head.count >= 12, head[8..<12].elementsEqual(".FIT".utf8) {
            self = .fit
            return
        }
        let text = HeadText(head)
        switch text.start {
        case .element(let name):
            guard
                let format = Self.roots[name] ?? Self.roots[name.lowercased()]
                    ?? (named == .fit ? nil : named)
            else { return nil }
            self = format
        case .object where named != .geojson && Self.isExport(text.text): self = .service
        case .object where TimelineReader.isTimeline(text.text): self = .timeline
        case .object where named != .geojson && Self.isRecords(text.text): self = .records
        case .object:
            guard named == .geojson || Self.geometryWords.contains(where: text.text.contains) else {
                return nil
            }
            self = .geojson
        case .other where Self.isExport(text.text): self = .service
        case .other where TimelineReader.isTimeline(text.text): self = .timeline
        case .other where named == nil && Self.isRecords(text.text): self = .records
        case .other where PositionRecordsReader.isLog(text.text): self = .records
        case .other where FlightLogReader.isLog(text.text): self = .igc
        case .other where OziTrackReader.isTrack(text.text): self = .plt
        case .other where NMEAReader.isLog(text.text): self = .nmea
        // A table that calls itself a recording of another format is a damaged one.
        case .other where named == nil && PointTableReader.isTable(text.text): self = .table
        case .other:
            guard let named, Self.extensions.contains(named.rawValue) else { return nil }
            self = named
        }
    }

    /// Whether JSON has records with positions; features may have them among their properties.
    private static func isRecords(_ head: String) -> Bool {
        !featureWords.contains(where: head.contains) && PositionRecordsReader.isRecords(head)
    }

    /// Whether JSON is an export of a service; features may have its words among their properties.
    private static func isExport(_ head: String) -> Bool {
        !featureWords.contains(where: head.contains) && ServiceExportReader.isExport(head)
    }

    /// The formats of XML by the name of the root element.
    private static let roots: [String: TrackFormat] = [
        "gpx": .gpx, "TrainingCenterDatabase": .tcx, "kml": .kml, "sml": .service, "DeviceLog": .service,
    ]
    /// Words of which one stands near the start of GeoJSON (RFC 7946, section 1.4).
    private static let geometryWords = featureWords + ["\"coordinates\""]
    private static let featureWords = ["\"FeatureCollection\"", "\"Feature\"", "\"geometries\""]
    /// Bytes used to recognise a format.
    private static let recognised = 4096

    /// Rejects a file that its reader would reject for its size, before its bytes are read. Throws `E-FIT-TOOLARGE` or
    /// `E-IMPORT-TOOLARGE`.
    public func checkSize(_ source: SourceBytes) throws(RutterError) {
        switch self {
        case .fit: try FITReader.checkSize(source)
        case .geojson, .nmea, .timeline, .service, .table, .records, .igc, .plt:
            try JSONSource.checkSize(source)
        case .gpx, .tcx, .kml: break
        }
    }
}

/// The content of a file with tracks, routes and waypoints, of any format.
public struct TrackFile: Sendable {
    /// Its format.
    public let format: TrackFormat
    /// Its tracks, routes, waypoints and metadata.
    public var document: GPXDocument
    /// Its waypoints with what only some formats have: identifiers, photos, fields without a standard name.
    public var places: [MapPlace]
    /// The identifier of its last track, if it has one.
    public var trackID: UUID?

    /// Its lines, tracks first.
    public var lines: [GPXLine] { document.tracks + document.routes }
}

extension TrackFile {
    /// Reads a file in memory or on disk. Of a plan, which is walked as it is drawn, a line is not put in the order of its times.
    /// Throws an error of its format's reader, `E-IMPORT-FORMAT` if it is of none,
    /// or what `check` throws, which is called every thousand points, as is `progress`.
    public init(
        _ source: SourceBytes, format known: TrackFormat? = nil, isPlan: Bool = false,
        check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws {
        guard let format = try known ?? TrackFormat(recognising: source) else {
            throw ImportErrors.format(
                "\(source.name) is not a GPX, FIT, TCX, KML, GeoJSON or NMEA file, nor a table or history of points"
            )
        }
        switch format {
        case .gpx: self.init(format, try GPXReader.document(source, check: check, progress: progress))
        case .fit: self.init(format, try FITReader.document(source, check: check, progress: progress))
        case .tcx: self.init(format, try TCXReader.document(source, check: check, progress: progress))
        case .kml: self.init(format, try KMLReader.document(source, check: check))
        case .nmea: self.init(format, try NMEAReader.document(source, check: check))
        case .timeline: self.init(format, try TimelineReader.document(source, check: check))
        case .service: self.init(format, try ServiceExportReader.document(source, check: check))
        case .table: self.init(format, try PointTableReader.document(source, check: check))
        case .igc: self.init(format, try FlightLogReader.document(source, check: check))
        case .plt: self.init(format, try OziTrackReader.document(source, check: check))
        case .records: self.init(format, try PositionRecordsReader.document(source, check: check))
        case .geojson:
            var repaired: [String] = []
            var damage: JSONFault?
            var document = try JSONSource.read(
                source, check: check, isSequence: true,
                repairs: {
                    repaired = $0.words
                    damage = $0.fault
                }
            ) {
                let document = try GeoJSONReader.document($0, check: check)
                // Nothing stands before the fault.
                if document.features.isEmpty, let damage { throw damage }
                return document
            }
            document.doubts += repaired
            self.init(format, document)
        }
        if let cut = source.cut {
            document.doubts.insert(
                "the compressed file is cut or damaged; what could be unpacked was read (\(cut))", at: 0)
        }
        leaveOutZeroPlaces()
        joinSinglePoints()
        var account = document.account
        document.tracks = document.tracks.map { $0.plausible(&account, isPlan: isPlan) }
        document.routes = document.routes.map { $0.plausible(&account, isPlan: isPlan) }
        account?.used = lines.reduce(document.waypoints.count) { $0 + $1.pointCount }
        account?.unplaced = lines.reduce(0) { $0 + $1.unplaced.count }
        document.account = account
        // What is doubtful about the file goes with its only line, or else with the file.
        if lines.count > 1 || lines.isEmpty {
            document.notices = document.doubts + document.notices
        } else if document.tracks.isEmpty {
            document.routes[0].doubts = document.doubts + document.routes[0].doubts
        } else {
            document.tracks[0].doubts = document.doubts + document.tracks[0].doubts
        }
    }

    /// Joins tracks of one point each that follow each other in time: a program that begins a track for each point. No way is in any.
    private mutating func joinSinglePoints() {
        let tracks = document.tracks
        let times = tracks.compactMap { $0.segments.first?.first?.time }
        guard tracks.count > Self.fewSinglePoints, times.count == tracks.count,
            tracks.allSatisfy({ $0.pointCount == 1 && $0.unplaced.isEmpty }),
            zip(times, times.dropFirst()).allSatisfy({
                $0 <= $1 && $1.seconds(since: $0) <= LogSettings.trackPause
            })
        else { return }
        document.tracks = [tracks[0]]
        document.tracks[0].segments = [tracks.flatMap { $0.segments.joined() }]
        document.tracks[0].doubts.append(
            "\(tracks.count) tracks of one point each: joined, since there is no way within them")
    }

    /// Tracks of one point that may be meant so.
    private static let fewSinglePoints = 2

    /// Leaves out waypoints at 0,0 far from all others: programs write it where no place is known.
    private mutating func leaveOutZeroPlaces() {
        func isZero(_ point: GPXPoint) -> Bool {
            point.coordinate.latitude == 0 && point.coordinate.longitude == 0
        }
        guard document.waypoints.contains(where: isZero) else { return }
        let zero = Coordinate(latitude: 0, longitude: 0)
        let others =
            document.waypoints.filter { !isZero($0) } + lines.compactMap { $0.segments.first?.first }
        guard !others.isEmpty,
            others.allSatisfy({ $0.coordinate.distance(to: zero) > PlausibleSettings.nearZeroOfPlan })
        else { return }
        var found = Examples()
        for point in document.waypoints where isZero(point) { found.add(point.name) }
        document.account?.leaveOut("waypoints at 0,0", count: document.waypoints.count(where: isZero))
        document.waypoints.removeAll(where: isZero)
        places.removeAll { isZero($0.point) }
        document.notices.append(
            "\(found.count, of: "waypoint") at 0,0, which is no place, left out\(found.words ?? "")")
    }

    /// Reads a file that may be compressed or the only one of an archive. Throws as above, errors of `ArchiveErrors`,
    /// and `E-IMPORT-FORMAT` for an archive with several.
    public init(
        _ url: URL, isPlan: Bool = false, check: @escaping () throws -> Void,
        progress: (Int) -> Void = { _ in }
    ) throws {
        var walk = SourceWalk([url], extensions: TrackFormat.extensions, check: check)
        guard let file = try walk.next() else {
            throw ImportErrors.format("\(url.lastPathComponent) has no GPX, FIT, TCX, KML or GeoJSON file")
        }
        let source = try file.content.get()
        if let other = try walk.next() {
            throw ImportErrors.format(
                "\(url.lastPathComponent) has several files: \(file.path), \(other.path)",
                fix: "unpack the archive")
        }
        try self.init(source, isPlan: isPlan, check: check, progress: progress)
    }

    private init(_ format: TrackFormat, _ document: GPXDocument) {
        self.init(format: format, document: document, places: document.waypoints.map { MapPlace(point: $0) })
    }

    private init(_ format: TrackFormat, _ map: MapDocument) {
        self.init(format: format, document: GPXDocument(), places: [])
        document.name = map.name
        document.description = map.description
        document.author = map.author
        document.time = map.time
        document.doubts = map.doubts
        document.notices = map.notices
        document.account = map.account
        for feature in map.features {
            switch feature {
            case .place(let place):
                places.append(place)
                document.waypoints.append(place.point)
            case .line(let line, .route, _): document.routes.append(line)
            case .line(let line, .track, let id):
                document.tracks.append(line)
                trackID = id
            }
        }
    }
}
