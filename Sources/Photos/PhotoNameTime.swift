/// The time in the name that a camera app gives a photo: `IMG_20260606_101500.jpg`, `2026-06-06 10.15.00.jpg`. Local, except of apps
/// that write UTC.
public enum PhotoNameTime {
    /// Beginnings of names with a time in UTC: the camera of Pixel phones.
    private static let universal = ["PXL_"]

    /// The time as EXIF writes it, and whether it is UTC; `nil` for a name without a date and a time of day.
    public static func read(_ name: String) -> (taken: String, isUTC: Bool)? {
        let file = name.split(separator: "/").last ?? ""
        guard let (date, rest) = digits(8, of: 3, in: file[...]), let (clock, _) = digits(6, of: 3, in: rest),
            let year = Int(date.prefix(4)), (1990..<2100).contains(year)
        else { return nil }
        let day = "\(date.prefix(4)):\(date.dropFirst(4).prefix(2)):\(date.suffix(2))"
        let time = "\(clock.prefix(2)):\(clock.dropFirst(2).prefix(2)):\(clock.suffix(2))"
        return ("\(day) \(time)", universal.contains { file.hasPrefix($0) })
    }

    /// The first run of exactly so many digits, also in parts that `-`, `.`, `_`, a colon or `h` join, and what follows it. A longer
    /// run may go on with milliseconds after a time of day.
    private static func digits(_ count: Int, of parts: Int, in text: Substring) -> (String, Substring)? {
        var start = text.startIndex
        while start < text.endIndex {
            guard text[start].isASCII, text[start].isNumber else {
                start = text.index(after: start)
                continue
            }
            var found = ""
            var joins = 0
            var index = start
            while index < text.endIndex, found.count < count {
                let sign = text[index]
                if sign.isASCII, sign.isNumber {
                    found.append(sign)
                } else if "-._:h".contains(sign), joins < parts - 1, !found.isEmpty {
                    joins += 1
                } else {
                    break
                }
                index = text.index(after: index)
            }
            if found.count == count { return (found, text[index...]) }
            start = text[start...].firstIndex { !($0.isASCII && $0.isNumber) } ?? text.endIndex
        }
        return nil
    }
}
