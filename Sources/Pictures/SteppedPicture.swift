/// A map whose marks appear, change and disappear step by step, such as the state of a search.
///
/// The picture of the last step and a player of all steps use the same changes.
public protocol SteppedPicture: MapDrawable {
    /// The content of every step.
    var ground: [MapFeature] { get throws }
    /// The changes of each step, from the first on.
    var frames: [PictureFrame] { get throws }
    /// The style of the chain from the current mark through its parents.
    var chainStyle: MapLineStyle { get }
}

/// The changes of a picture at a step.
public struct PictureFrame: Sendable {
    /// The marks that change, in order.
    public var changes: [MarkChange]
    /// The marks whose chains of parents are shown.
    public var present: [String]

    /// A frame.
    public init(_ changes: [MarkChange] = [], present: [String] = []) {
        self.changes = changes
        self.present = present
    }
}

/// A mark that is added, changed or removed.
public struct MarkChange: Sendable {
    /// The name of the mark; an asterisk removes all marks.
    public var key: String
    /// Its features; an empty list removes it.
    public var features: [MapFeature]
    /// The mark that it was reached from.
    public var parent: String?
    /// Its name and key while it is in a heap; `nil` if it is not in one.
    public var queue: (name: String, key: Double)?

    /// A change.
    public init(_ key: String, _ features: [MapFeature], parent: String? = nil) {
        self.key = key
        self.features = features
        self.parent = parent
    }

    /// Removes all marks.
    public static let clearing = MarkChange("*", [])
}

/// The marks of a picture after some of its steps.
public struct MarkBoard {
    private var marks: [String: (order: Int, change: MarkChange)] = [:]
    private var next = 0
    private var present: [String] = []

    /// An empty board.
    public init() {}

    /// Applies the changes of a step.
    public mutating func take(_ frame: PictureFrame) {
        present = frame.present
        for change in frame.changes {
            if change.key == MarkChange.clearing.key {
                marks = [:]
            } else if change.features.isEmpty {
                marks[change.key] = nil
            } else {
                marks[change.key] = (next, change)
                next += 1
            }
        }
    }

    /// The features: the marks in the order of their last change, then the chain of the current one.
    public func features(chain style: MapLineStyle) -> [MapFeature] {
        let shown = marks.values.sorted { $0.order < $1.order }.flatMap(\.change.features)
        var chain: [MapFeature] = []
        var passed: Set<String> = []
        for start in present {
            var key: String? = start
            while let name = key, passed.insert(name).inserted, let mark = marks[name] {
                for case .line(let line, _) in mark.change.features { chain.append(.line(line, style)) }
                key = mark.change.parent
            }
        }
        return shown + chain
    }
}

extension SteppedPicture {
    /// The picture after the last step.
    public var mapFeatures: [MapFeature] {
        get throws {
            var board = MarkBoard()
            for frame in try frames { board.take(frame) }
            return try ground + board.features(chain: chainStyle)
        }
    }
}
