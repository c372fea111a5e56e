import CivilTime
import Core
import Foundation
import Geodesy

/// Builds the objects of a GPX file from its elements.
final class GPXBuilder: XMLPlaced, XMLResuming {
    /// Only one parser calls this, sequentially: dynamic exclusivity checks took 5 % of an import.
    @exclusivity(unchecked) private var elements: GPXElements

    /// Passes completed objects to `handle`; `check` receives the number of points, every thousand points.
    init(handle: @escaping (GPXReader.Event) throws -> Void, check: @escaping (Int) throws -> Void) {
        elements = GPXElements(handle: handle, check: check, lineNumber: { [position] in position.line() })
    }

    private let position = XMLPosition()
    func take(_ line: @escaping () -> Int?) { position.line = line }

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        try elements.start(name, in: space, attributes)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws { try elements.text(bytes) }
    func end() throws { try elements.end() }

    let restarts = ["trkpt", "wpt", "rtept", "trkseg", "trk", "rte"]
    var begun: Int { elements.begun }
    var isRepeating: Bool { elements.isRepeating }
    func resume(before element: String) throws -> [String]? { try elements.resume(before: element) }

    /// What became of the points; complete at the end of the file.
    var account: PointAccount { elements.account }

    /// Completes what is open where a file ends early. Returns the number of points read.
    func salvage() throws -> Int {
        try elements.salvage()
        return elements.whole
    }
}
