import Core
import Foundation
import Geodesy
import Pictures

/// A line with a label along it.
struct LabelLine {
    private let points: [ScenePoint]
    private let distances: [Double]

    /// The maximum bend between two letters, in degrees.
    private static let sharpest = 28.0
    /// Below this bend all letters are on one straight line.
    private static let straight = 6.0

    init(_ points: [ScenePoint]) {
        self.points = points
        var sum = 0.0
        var distances = [0.0]
        for (a, b) in zip(points, points.dropFirst()) {
            sum += ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
            distances.append(sum)
        }
        self.distances = distances
    }

    var length: Double { distances.last ?? 0 }

    /// The point at a distance from the start.
    func point(_ distance: Double) -> ScenePoint {
        guard points.count > 1 else { return points.first ?? ScenePoint(0, 0) }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if distances[middle] <= distance { low = middle } else { high = middle }
        }
        let gap = distances[high] - distances[low]
        let share = gap > 0 ? max(0, min(1, (distance - distances[low]) / gap)) : 0
        return ScenePoint(
            points[low].x + (points[high].x - points[low].x) * share,
            points[low].y + (points[high].y - points[low].y) * share)
    }

    /// The letters of a name and the boxes that they cover.
    typealias Placed = (letters: [Letter], boxes: [SceneRect])

    /// A placed piece of text.
    struct Letter {
        var text: String
        var at: ScenePoint
        var rotation: Double
    }

    /// A text along the line around a distance; `nil` if the line bends too much.
    func text(
        _ text: String, center: Double, width: Double, size: Double
    ) -> Placed? {
        let start = center - width / 2
        let (a, b) = (point(start), point(start + width))
        let isForward = b.x >= a.x
        let chord = atan2(b.y - a.y, b.x - a.x)
        let reach = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
        guard reach > width * 0.8 else { return nil }
        // Directions are averaged over about a letter or two.
        let count = max(2, Int(width / max(4, size * 0.9)))
        let step = width / Double(count)
        var angles: [Double] = []
        for index in 0..<count {
            let (from, to) = (point(start + Double(index) * step), point(start + Double(index + 1) * step))
            angles.append(atan2(to.y - from.y, to.x - from.x))
        }
        for (one, next) in zip(angles, angles.dropFirst())
        where abs(Self.turn(one, next)) > Self.sharpest.radians { return nil }
        let boxes = (0..<count).map { index in
            let middle = point(start + (Double(index) + 0.5) * step)
            let side = max(size * 1.1, step)
            return SceneRect(x: middle.x - side / 2, y: middle.y - side / 2, width: side, height: side)
        }
        let most = angles.map { abs(Self.turn(chord, $0)) }.max() ?? 0
        let isJoined = text.unicodeScalars.contains { $0.value > 0x2FF }
        let base = size * 0.34
        if most < Self.straight.radians || isJoined {
            // Letters of cursive scripts stay together.
            guard most < Self.sharpest.radians else { return nil }
            let rotation = isForward ? chord : chord + .pi
            let middle = ScenePoint((a.x + b.x) / 2, (a.y + b.y) / 2)
            return ([Self.letter(text, middle, rotation, base)], boxes)
        }
        return (letters(text, start: start, width: width, isForward: isForward, base: base), boxes)
    }

    private func letters(
        _ text: String, start: Double, width: Double, isForward: Bool, base: Double
    ) -> [Letter] {
        let characters = Array(text)
        let weights = characters.map(Self.weight)
        let whole = weights.reduce(0, +)
        var gone = 0.0
        var letters: [Letter] = []
        for (character, weight) in zip(characters, weights) {
            let share = (gone + weight / 2) / whole
            gone += weight
            guard character != " " else { continue }
            let distance = isForward ? start + share * width : start + (1 - share) * width
            let half = max(1.5, weight / whole * width / 2)
            let (from, to) = (point(distance - half), point(distance + half))
            let angle = atan2(to.y - from.y, to.x - from.x) + (isForward ? 0 : .pi)
            letters.append(Self.letter(String(character), point(distance), angle, base))
        }
        return letters
    }

    private static func letter(_ text: String, _ at: ScenePoint, _ angle: Double, _ base: Double) -> Letter {
        var rotation = angle.degrees
        while rotation > 180 { rotation -= 360 }
        while rotation <= -180 { rotation += 360 }
        // The baseline is a third of the letter height below the line.
        let place = ScenePoint(at.x - sin(angle) * base, at.y + cos(angle) * base)
        return Letter(text: text, at: place, rotation: (rotation * 10).rounded() / 10)
    }

    /// The approximate relative width of a letter.
    private static func weight(_ character: Character) -> Double {
        if "iljI.,'’ tfr-".contains(character) { return 0.55 }
        if "mwMWÄÖÜ".contains(character) { return 1.35 }
        return character.isUppercase ? 1.15 : 1
    }

    private static func turn(_ from: Double, _ to: Double) -> Double {
        var turn = to - from
        while turn > .pi { turn -= 2 * .pi }
        while turn < -.pi { turn += 2 * .pi }
        return turn
    }
}
