import Geodesy

/// A search result in an index: a place by its number.
struct PlaceIndexMatch: Sendable {
    let document: Int
    let quality: PlaceMatch.Quality
    let order: Double
}

/// Finds the places of an index that match a query.
struct PlaceIndexSearch {
    private let index: PlaceIndex
    private let query: PlaceQuery
    private let filter: Filter
    private var best: PlaceBest
    /// The index words for each typed word, exact and misspelt.
    private var matches: [[[UInt8]: PlaceWordMatch]] = [[:], [:]]

    /// Which places match the filters.
    private struct Filter {
        let near: Coordinate?
        let radius: Double?
        let area: PlaceArea?
        let kinds: [Bool]?
        /// The bounding box of matches.
        let box: BoundingBox?

        var isGeographic: Bool { box != nil }

        init(_ query: PlaceQuery, kinds names: [String]) {
            near = query.near
            radius = query.radius
            area = query.area
            kinds = query.kinds.map { wanted in names.map { wanted.contains($0) } }
            if let area = query.area {
                box = area.box
            } else if let near = query.near, let radius = query.radius {
                box = BoundingBox(center: near, radius: radius)
            } else {
                box = nil
            }
        }
    }

    init(_ query: PlaceQuery, in index: PlaceIndex) {
        self.query = query
        self.index = index
        filter = Filter(query, kinds: index.locations.kindNames)
        best = PlaceBest(limit: query.limit)
    }

    /// The matches, best first.
    mutating func run() -> [PlaceIndexMatch] {
        let words = Array(query.words.words.prefix(PlaceSearchSettings.words))
        guard !words.isEmpty else {
            if query.kinds != nil { addKinds() }
            return best.sorted
        }
        let forms = [words] + (query.words.latin.map { [$0] } ?? [])
        let readings = forms.flatMap { PlaceReading.readings(of: $0, in: index.vocabulary) }
        for reading in readings { look(reading, allowsMistakes: false, missing: 0) }
        if best.count == 0 {
            for form in forms {
                guard let reading = PlaceReading.withoutFillers(form) else { continue }
                look(reading, allowsMistakes: false, missing: 0)
            }
        }
        // If all words match exactly, misspellings are not considered.
        if best.bestWords < Self.certain {
            for form in forms { look(PlaceReading(words: form), allowsMistakes: true, missing: 0) }
        }
        if best.count == 0 {
            for reading in readings { look(reading, allowsMistakes: true, missing: 0) }
        }
        // Names without vowels are found by their consonants, where no name is similar.
        if best.count == 0 {
            for reading in ConsonantSkeleton.readings(of: words) {
                look(PlaceReading(words: reading), allowsMistakes: false, missing: 0)
            }
        }
        if best.count == 0, words.count > 1 {
            for form in forms { look(PlaceReading(words: form), allowsMistakes: true, missing: 1) }
        }
        return best.sorted
    }

    /// The score of the words from which misspellings are not searched: all words match exactly.
    private static let certain = 0.985

    /// All places of the kinds, by nearness and importance.
    private mutating func addKinds() {
        for document in 0..<index.count where isWanted(document) {
            add(
                document,
                PlaceMatch.Quality(score: PlaceSearchSettings.category, manner: .category))
        }
    }

    // MARK: Candidates

    private mutating func match(_ word: [UInt8], allowsMistakes: Bool) -> PlaceWordMatch {
        let kind = allowsMistakes ? 1 : 0
        if let known = matches[kind][word] { return known }
        let made = PlaceWordMatch(word, in: index.vocabulary, allowsMistakes: allowsMistakes)
        matches[kind][word] = made
        return made
    }

    private mutating func look(_ reading: PlaceReading, allowsMistakes: Bool, missing: Int) {
        let words = reading.words.map { match($0, allowsMistakes: allowsMistakes) }
        let sizes = words.map(postingCount)
        guard missing > 0 || !sizes.contains(0) else { return }
        let order = words.indices.filter { sizes[$0] > 0 }.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
        // The candidates are the names with the rarest word. A word of a town's name may refer to the town
        // only, so names with the rarest of the other words are candidates, too.
        var drivers = missing > 0 ? order : Array(order.prefix(1))
        if missing == 0, let first = order.first, isContext(words[first]),
            let other = order.first(where: { !isContext(words[$0]) }) ?? order.dropFirst().first
        {
            drivers.append(other)
        }
        for driver in drivers {
            // Names with the rarest word are already scored; of the others only those in a town with that
            // word count.
            let towns = missing == 0 && driver != drivers[0] ? contexts(with: words[drivers[0]]) : nil
            let others = words.indices.reduce(0) { $1 == driver ? $0 : $0 + words[$1].most }
            let atLeast = isContext(words[driver]) ? words[driver].most * PlaceSearchSettings.contextWord : 0
            let bound = Bound(others: others, atLeast: atLeast, typed: words.count)
            for (word, worth) in words[driver].byWorth(in: index.vocabulary) {
                guard best.wants(PlaceMatch.order(score: bound.score(worth), distance: nearest, 0)) else {
                    break
                }
                judge(namesOf: word, in: towns, bound, worth, words, missing: missing)
            }
        }
    }

    /// A lower bound of all distances; `nil` if distances do not count.
    private var nearest: Double? { query.near == nil ? nil : 0 }

    /// The maximum score of a name that contains one typed word.
    private struct Bound {
        /// The maximum score of the other words.
        let others: Double
        /// The minimum score of the word, whether it is found in the name or in the town.
        let atLeast: Double
        let typed: Int

        func score(_ worth: Double, nameWords: Int = 1) -> Double {
            PlaceMatch.Tally.most(
                words: (max(worth, atLeast) + others) / Double(typed),
                coverage: min(1, Double(typed) / Double(max(1, nameWords))))
        }
    }

    private func isContext(_ match: PlaceWordMatch) -> Bool {
        match.listed.contains { index.isContextWord[$0] }
            || match.beginnings.contains { index.isContextWord[$0] }
    }

    /// The contexts that contain a word.
    private func contexts(with match: PlaceWordMatch) -> [Bool] {
        (0..<index.contexts.count).map { context in
            index.contexts.range(context).contains { item in
                match.worth(of: Int(index.contexts.items[item]), in: index.vocabulary).value > 0
            }
        }
    }

    private func postingCount(_ match: PlaceWordMatch) -> Int {
        let starts = index.postings.starts
        var count = Int(starts[match.beginnings.upperBound] - starts[match.beginnings.lowerBound])
        for word in match.listed where !match.beginnings.contains(word) {
            count += index.postings.range(word).count
        }
        return count
    }

    /// Scores the names that contain a word, except those that cannot be among the best.
    private mutating func judge(
        namesOf word: Int, in towns: [Bool]?, _ bound: Bound, _ worth: Double, _ words: [PlaceWordMatch],
        missing: Int
    ) {
        for item in index.postings.range(word) {
            let name = Int(index.postings.items[item])
            let document = document(of: name)
            if let towns, !towns[Int(index.placeContexts[document])] { continue }
            let score = bound.score(worth, nameWords: index.names.range(name).count)
            let most = PlaceMatch.order(
                score: score, distance: leastDistance(document), index.locations.importance(of: document))
            guard best.wants(most), isWanted(document) else { continue }
            if let quality = quality(of: name, document, words, missing: missing) { add(document, quality) }
        }
    }

    /// A lower bound of a place's distance: that of its parallel.
    private func leastDistance(_ document: Int) -> Double? {
        query.near.map { near in
            let degrees = abs(near.latitude - Double(index.locations.latitudes[document]) / 1e7)
            return degrees * .pi / 180 * GeodesySettings.earthRadius * 0.9999
        }
    }

    private func document(of name: Int) -> Int {
        Int(index.nameDocuments[name] & ~PlaceIndex.otherName)
    }

    private func isWanted(_ document: Int) -> Bool {
        if let kinds = filter.kinds, !kinds[Int(index.locations.kinds[document])] { return false }
        guard filter.isGeographic else { return true }
        let coordinate = index.locations.coordinate(document)
        if let box = filter.box, !box.contains(coordinate) { return false }
        if let area = filter.area, !area.contains(coordinate) { return false }
        if let near = filter.near, let radius = filter.radius, near.distance(to: coordinate) > radius {
            return false
        }
        return true
    }

    // MARK: Judging

    private func quality(
        of name: Int, _ document: Int, _ words: [PlaceWordMatch], missing: Int
    ) -> PlaceMatch.Quality? {
        let range = index.names.range(name)
        var used: UInt64 = 0
        var tally = PlaceMatch.Tally()
        for (number, word) in words.enumerated() {
            var found = (value: 0.0, mistakes: UInt8(0), isAnotherNumber: false, position: -1)
            for (position, item) in range.enumerated() where position < 64 && used & (1 << position) == 0 {
                let worth = word.worth(of: Int(index.names.items[item]), in: index.vocabulary)
                if worth.value > found.value {
                    found = (worth.value, worth.mistakes, worth.isAnotherNumber, position)
                }
            }
            if found.position >= 0 {
                used |= 1 << found.position
                tally.add(found.value, mistakes: found.mistakes, isInOrder: found.position == number)
                if found.isAnotherNumber { tally.hasAnotherNumber = true }
            } else {
                let value = contextWorth(word, document)
                if value > 0 {
                    tally.addContext(value)
                } else {
                    tally.missing += 1
                    if tally.missing > missing { return nil }
                }
            }
        }
        guard tally.named > 0 else { return nil }
        // If a word is missing, a match of numbers only is rejected.
        let isPostcode = index.locations.kind(document) == "postcode"
        if tally.missing > 0, !isPostcode, !hasLetters(range, used: used) { return nil }
        let isAddress = index.locations.kind(document) == PlaceIndex.addressKind
        if isAddress, !hasNumber(range, used: used) || tally.named < 2 { return nil }
        if isAddress, hasFurtherLetter(range, used: used) { tally.hasAnotherNumber = true }
        return tally.quality(
            nameWords: range.count, typedWords: words.count,
            isOtherName: index.nameDocuments[name] & PlaceIndex.otherName != 0)
    }

    private func contextWorth(_ word: PlaceWordMatch, _ document: Int) -> Double {
        var best = 0.0
        for item in index.contexts.range(Int(index.placeContexts[document])) {
            let worth = word.worth(of: Int(index.contexts.items[item]), in: index.vocabulary).value
            best = max(best, worth)
        }
        return best * PlaceSearchSettings.contextWord
    }

    /// Whether one of the words found is more than a number.
    private func hasLetters(_ range: Range<Int>, used: UInt64) -> Bool {
        range.enumerated().contains { position, item in
            position < 64 && used & (1 << position) != 0
                && index.vocabulary[Int(index.names.items[item])].contains { !(0x30...0x39).contains($0) }
        }
    }

    /// Whether each of the name's words with a digit was typed.
    private func hasNumber(_ range: Range<Int>, used: UInt64) -> Bool {
        for (position, item) in range.enumerated() where position < 64 && used & (1 << position) == 0 {
            let word = index.vocabulary[Int(index.names.items[item])]
            if word.contains(where: { (0x30...0x39).contains($0) }) { return false }
        }
        return true
    }

    /// Whether a letter after the number found is not among the words: the house 10 a is not the house 10.
    private func hasFurtherLetter(_ range: Range<Int>, used: UInt64) -> Bool {
        let words = range.prefix(64).map { index.vocabulary[Int(index.names.items[$0])] }
        return words.indices.dropFirst().contains { position in
            used & (1 << position) == 0 && used & (1 << (position - 1)) != 0 && words[position].count == 1
                && words[position - 1].allSatisfy(PlaceReading.isDigit)
        }
    }

    private mutating func add(_ document: Int, _ quality: PlaceMatch.Quality) {
        let importance = index.locations.importance(of: document)
        // Even at distance 0 it would not be among the best.
        let most = PlaceMatch.order(score: quality.score, distance: query.near == nil ? nil : 0, importance)
        guard best.wants(most) else { return }
        let distance = query.near.map { $0.distance(to: index.locations.coordinate(document)) }
        let order = PlaceMatch.order(score: quality.score, distance: distance, importance)
        best.add(PlaceIndexMatch(document: document, quality: quality, order: order))
    }
}

/// The best matches so far, each place once.
private struct PlaceBest {
    private let limit: Int
    private var found: [PlaceIndexMatch] = []
    private var least = -Double.infinity

    init(limit: Int) { self.limit = limit }

    var count: Int { found.count }
    /// The best word score so far.
    private(set) var bestWords = 0.0

    func wants(_ order: Double) -> Bool { order >= least }

    mutating func add(_ match: PlaceIndexMatch) {
        found.append(match)
        bestWords = max(bestWords, match.quality.words)
        if found.count >= max(64, 6 * limit) { trim() }
    }

    private mutating func trim() {
        found.sort { ($0.order, $1.document) > ($1.order, $0.document) }
        var seen: Set<Int> = []
        found = found.filter { seen.insert($0.document).inserted }
        // Keep ties with the last one: the tie-breaker is not known here.
        if found.count > limit {
            least = found[limit - 1].order
            found.removeAll { $0.order < least }
            if found.count > 4 * limit { found.removeLast(found.count - 4 * limit) }
        }
    }

    var sorted: [PlaceIndexMatch] {
        var copy = self
        copy.trim()
        return copy.found
    }
}
