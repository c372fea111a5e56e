import PluginKit

extension Value {
    /// The kind with its article, for messages: `a length`, `an angle`, `nothing`.
    var kindWithArticle: String {
        if case .nothing = self { return "nothing" }
        if case .text = self { return "text" }
        return Articles.withArticle(kindName)
    }
}

extension PhysicalDimension {
    /// The dimension with its article: `a length`, `an angle`.
    var withArticle: String { Articles.withArticle(name) }

    /// A bare number as it was probably meant: `50` as `50m`, and as a ratio `0.5` as `50%`.
    func example(_ number: Double) -> String {
        guard let unit = MeasureUnit.of(self).first else { return Literal.number(number) }
        let isShare = self == .ratio && abs(number) <= 1
        return Literal.number(isShare ? number / unit.factor : number) + unit.symbol
    }
}

enum Articles {
    static func withArticle(_ noun: String) -> String {
        guard let first = noun.first else { return noun }
        return ("aeiou".contains(first) ? "an " : "a ") + noun
    }
}
