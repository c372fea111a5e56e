import CivilTime
import Core
import Foundation
import Geodesy

/// Elements of other namespaces: values that are understood, and markup that is kept as it is.
extension GPXElements {
    /// Ends an element of another namespace; the outermost one is added to its parent.
    mutating func endForeign() throws {
        let isShape = !shapes.isEmpty && foreign.name == GPXExtension.shapingPoint
        foreign.end(isUnderstood: isShape || point != nil && isLeafUnderstood())
        guard !foreign.isOpen, let markup = foreign.take() else { return }
        if point != nil {
            let before = point?.extensions ?? ""
            point?.extensions = before + markup
        } else if stack.contains(.segment) {
            drop("extensions")
        } else if line != nil {
            let before = line?.extensions ?? ""
            line?.extensions = before + markup
        } else {
            try handle(.extensions(markup))
        }
    }

    /// Stores the value of the open foreign element; `false` if it is not a known one.
    private mutating func isLeafUnderstood() -> Bool {
        guard let leaf = foreign.leaf else { return false }
        return GPXText.trimmed(leaf.text[...]).withUnsafeBufferPointer { understand(leaf.name, $0) }
    }

    /// The measurement of an element's name, remembered for its repetitions.
    private mutating func added(_ name: String) -> PointSensors.Kind? {
        let kind = GPXExtension.sensor(name)
        sensors[name] = .some(kind)
        return kind
    }

    /// Stores a value of the Garmin extensions, of any version; `false` if it is not one.
    private mutating func understand(_ name: String, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        func text() -> String { String(decoding: value, as: UTF8.self) }
        let sensor = sensors[name] ?? added(name)
        guard
            let number = DecimalBytes.plain(value)
                ?? (GPXDetail.Kind.isDecimal(text()) ? Double(text()) : nil)
        else {
            // The text is kept as it stands, for other programs.
            if let sensor, !value.isEmpty {
                doubts.add("values of \(sensor.words) that are no number, unknown", at: lineNumber)
            }
            return false
        }
        if let kind = sensor {
            guard GPXExtension.isPlausible(number, kind), point?.sensors[kind] == nil else { return false }
            point?.sensors[kind] = number
            return true
        }
        guard let kind = GPXDetail.Kind(rawValue: name), kind.isExtension,
            let detail = GPXDetail(kind, text()),
            point?.details.contains(where: { $0.kind == kind }) == false
        else { return false }
        point?.details.append(detail)
        return true
    }
}
