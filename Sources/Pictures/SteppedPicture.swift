/// A map whose marks come, change and go step by step, such as what a search knows.
///
/// The picture of the last step and a player of all steps are made of the same changes.
public protocol SteppedPicture: MapDrawable {
    /// What every step shows.
    var ground: [MapFeature] { get throws }
    /// What changes at each step, from the first on.
    var frames: [PictureFrame] { get throws }
    /// How the chain from the present mark over its parents is drawn.
    var chainStyle: MapLineStyle { get }
}

/// What changes in a picture at a step.
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

/// A mark that is drawn, drawn in another way, or taken away.
public struct MarkChange: Sendable {
    /// The name of the mark; an asterisk takes away all marks.
    public var key: String
    /// What is drawn of it; nothing takes it away.
    public var features: [MapFeature]
    /// The mark that it was reached from.
    public var parent: String?
    /// What it is called while it waits in a heap, and the key by which it is chosen; `nil` when it does not wait.
    public var queue: (name: String, key: Double)?

    /// A change.
    public init(_ key: String, _ features: [MapFeature], parent: String? = nil) {
        self.key = key
        self.features = features
        self.parent = parent
    }

    /// Takes all marks away.
    public static let clearing = MarkChange("*", [])
}

/// The marks of a picture after some of its steps.
public struct MarkBoard {
    private var marks: [String: (order: Int, change: MarkChange)] = [:]
    private var next = 0
    private var present: [String] = []

    /// An empty board.
    public init() {}

    /// Takes over the changes of a step.
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

    /// What is drawn: the marks in the order of their last change, then the chain of the present one.
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
