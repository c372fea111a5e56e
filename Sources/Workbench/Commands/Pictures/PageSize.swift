import Core
import Pictures
import PluginKit

/// The size of a file: paper, or points.
struct PageSize {
    /// In points of 1/72 inch.
    let points: SceneSize

    /// Width and height upright in millimetres: ISO 216, and the North American letter.
    private static let papers: [(name: String, width: Double, height: Double)] = [
        ("a3", 297, 420), ("a4", 210, 297), ("a5", 148, 210), ("letter", 215.9, 279.4),
    ]
    private static let landscape = "-landscape"
    private static let pointsPerMillimetre = 72 / 25.4

    /// Reads `a4`, `a4-landscape` or `800x600`.
    init(_ text: String) throws {
        let name = text.lowercased()
        let isLandscape = name.hasSuffix(Self.landscape)
        let paper = isLandscape ? String(name.dropLast(Self.landscape.count)) : name
        if let paper = Self.papers.first(where: { $0.name == paper }) {
            let (width, height) = (
                paper.width * Self.pointsPerMillimetre, paper.height * Self.pointsPerMillimetre
            )
            points =
                isLandscape
                ? SceneSize(width: height, height: width) : SceneSize(width: width, height: height)
            return
        }
        let sides = name.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
            throw CommonErrors.argumentRange(
                "\(text) is not a size", at: .parameter("size"),
                fix: "write paper as a4 or a4-landscape, points as 800x600",
                suggestion: Suggestion.nearest(
                    to: name, in: Self.papers.flatMap { [$0.name, $0.name + Self.landscape] }))
        }
        let range = PictureCommandSettings.sizes
        guard range.contains(width), range.contains(height) else {
            throw CommonErrors.argumentRange(
                "a picture has \(range.lowerBound) to \(range.upperBound) points a side, not \(text)",
                at: .parameter("size"))
        }
        points = SceneSize(width: Double(width), height: Double(height))
    }
}
