import CivilTime
import Core
import Foundation
import Geodesy

/// What the names of elements mean where they stand.
extension GPXElements {
    func requireRoot(_ name: UnsafePointer<CChar>, _ space: UnsafePointer<CChar>?) throws {
        guard strcasecmp(name, "gpx") == 0 else {
            throw GPXErrors.root(
                "the outermost element is `\(String(cString: name).prefix(40))`, not `gpx`",
                fix: "export the data as GPX 1.1")
        }
        guard GPXNamespace.isOwn(space) else {
            let space = space.map { String(cString: $0) } ?? ""
            throw GPXErrors.root(
                "the outermost element `gpx` has the namespace `\(space.prefix(80))`, not GPX 1.0 or 1.1",
                fix: "export the data as GPX 1.1")
        }
    }

    /// The meaning of a name in its context, cached: the parser interns the names of a file.
    mutating func element(_ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?) -> Element {
        let parent = stack.last
        if parent == .foreign || parent == .extensions { return .foreign }
        let address = Int(bitPattern: name)
        let slot = (address ^ address >> 5) & (Self.meanings - 1)
        if let known = meanings[slot], known.name == name, known.space == space, known.parent == parent {
            return known.element
        }
        let element = meaning(of: name, in: space, below: parent)
        meanings[slot] = Meaning(name: name, space: space, parent: parent, element: element)
        return element
    }

    /// The meaning of a name in its context. Elements of other namespaces, and everything in `extensions`,
    /// are collected.
    func meaning(
        of name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, below parent: Element?
    ) -> Element {
        guard GPXNamespace.isOwn(space) else {
            return parent.map { $0.isValue } == true ? .dropped : .foreign
        }
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("extensions") { return .extensions }
        switch parent {
        case .gpx:
            if isNamed("wpt") { return .waypoint }
            if isNamed("trk") { return .track }
            if isNamed("rte") { return .route }
            if isNamed("metadata") { return .metadata }
            if isNamed("trkseg") { return .segment }
            if isNamed("trkpt") { return .point }
            // GPX 1.0 has the metadata directly in the root.
            return ofMetadata(name)
        case .metadata:
            if isNamed("author") { return .author }
            if isNamed("copyright") { return .copyright }
            return ofMetadata(name)
        case .author:
            if isNamed("name") { return .authorName }
            if isNamed("email") { return .email }
            return isNamed("link") ? .link : .dropped
        case .copyright: return isNamed("year") ? .year : isNamed("license") ? .license : .dropped
        case .link: return isNamed("text") ? .linkText : isNamed("type") ? .linkType : .dropped
        case .track: return isNamed("trkseg") ? .segment : astray(name) ?? ofLine(name)
        case .route: return isNamed("rtept") ? .point : astray(name) ?? ofLine(name)
        case .segment: return astray(name) ?? .dropped
        case .waypoint, .point: return astray(name) ?? ofPoint(name)
        // The end tag of the value is missing, and that of what it belongs to.
        case let parent? where parent.isValue: return astray(name) ?? .dropped
        default: return .dropped
        }
    }

    /// A point or line within another: an end tag is missing.
    func astray(_ name: UnsafePointer<CChar>) -> Element? {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("trkpt") || isNamed("rtept") { return .point }
        if isNamed("wpt") { return .waypoint }
        if isNamed("trkseg") { return .segment }
        if isNamed("trk") { return .track }
        return isNamed("rte") ? .route : nil
    }

    private func ofMetadata(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("name") { return .name }
        if isNamed("desc") { return .desc }
        if isNamed("time") { return .time }
        if isNamed("keywords") { return .keywords }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("urlname") { return .urlName }
        if isNamed("email") { return .email }
        if isNamed("bounds") { return .other }
        // In GPX 1.0 the author is text.
        return isNamed("author") ? .authorName : .dropped
    }

    private func ofLine(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("name") { return .name }
        if isNamed("cmt") { return .cmt }
        if isNamed("desc") { return .desc }
        if isNamed("src") { return .src }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("urlname") { return .urlName }
        if isNamed("number") { return .number }
        return isNamed("type") ? .type : .dropped
    }

    private func ofPoint(_ name: UnsafePointer<CChar>) -> Element {
        func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
        if isNamed("ele") { return .ele }
        if isNamed("time") { return .time }
        if isNamed("name") { return .name }
        if isNamed("desc") { return .desc }
        if isNamed("cmt") { return .cmt }
        if isNamed("sym") { return .sym }
        if isNamed("link") { return .link }
        if isNamed("url") { return .url }
        if isNamed("urlname") { return .urlName }
        if isNamed("type") { return .type }
        // From GPX 1.0.
        if isNamed("speed") { return .sensor(.speed) }
        if isNamed("course") { return .sensor(.course) }
        let name = String(cString: name)
        if let detail = GPXDetail.Kind(rawValue: name) {
            return detail.isExtension ? .dropped : .detail(detail)
        }
        // Some recorders write measurements without the element for extensions.
        return GPXExtension.sensor(name).map { .sensor($0) } ?? .dropped
    }
}
