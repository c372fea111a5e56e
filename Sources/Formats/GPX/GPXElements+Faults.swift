import CivilTime
import Core
import Foundation
import Geodesy

/// Where a file is damaged or ends early.
extension GPXElements {
    /// Leaves out a point that is not whole.
    private mutating func leaveOutOpen(_ why: String) {
        foreign = ForeignMarkup()
        aside.leaveOut(why, count: shapes.count + (point == nil ? 0 : 1))
        shapes = []
        // The start of an element that is cut has no attributes yet: its position is not wrong.
        if isAstray, point != nil { doubts.remove(Self.astray) }
        isAstray = false
        point = nil
        link = nil
        copyright = nil
        collects = false
        textLength = 0
    }

    /// Makes room for an element behind a fault: a point stays in the segment that is open, or begins one. Returns the names of the
    /// elements around it.
    mutating func resume(before element: String) throws -> [String]? {
        leaveOutOpen("in a part that cannot be read")
        begun = 0
        isRepeating = false
        deepest = GPXSettings.deepest
        // Another parser has its names at other addresses.
        meanings = [Meaning?](repeating: nil, count: Self.meanings)
        // Behind the end of the outermost element stands another file.
        if stack.isEmpty { stack = [.gpx] }
        let around: [Element] =
            switch element {
            case "trkpt": [.track, .segment]
            case "rtept": [.route]
            case "trkseg": [.track]
            // A waypoint that was written into the middle of a track does not end it.
            case "wpt": stack.filter { [.track, .segment, .route].contains($0) }
            default: []
            }
        let kept = zip(stack.dropFirst(), around).prefix { $0 == $1 }.count + 1
        while stack.count > kept {
            if [.segment, .track, .route].contains(stack.last) { try end() } else { stack.removeLast() }
        }
        for open in around.dropFirst(kept - 1) {
            if open != .segment {
                try endBareLine()
                line = GPXLine()
            }
            segment = []
            stack.append(open)
        }
        return stack.dropFirst().map { $0 == .track ? "trk" : $0 == .segment ? "trkseg" : "rte" }
    }

    /// Completes what is open where a file ends early.
    mutating func salvage() throws {
        leaveOutOpen("cut off by the end of the file")
        while let element = stack.last {
            if element == .point || element == .waypoint || element.isValue || element == .foreign
                || element == .link
            {
                stack.removeLast()
            } else {
                try end()
            }
        }
    }
}
