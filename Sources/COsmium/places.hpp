/* Reads names and addresses. A part of reader.cpp, whose helpers it uses. */
#ifndef COSMIUM_PLACES_HPP
#define COSMIUM_PLACES_HPP

#include <osmium/osm/relation.hpp>

#include <string_view>

namespace {

bool begins(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// Whether the value of a key is a name: `name`, `alt_name`, `name:fr`, `ref`.
bool is_name(std::string_view key) {
    static constexpr std::string_view kinds[] = {"",     "alt_",  "official_", "short_", "loc_",
                                                 "int_", "nat_", "reg_",      "old_"};
    if (key == "ref" || key == "addr:housename" || key == "iata" || key == "icao") return true;
    for (const auto kind : kinds) {
        if (!begins(key, kind)) continue;
        const auto rest = key.substr(kind.size());
        if (rest == "name") return true;
        // Names by language, not pronunciation or etymology.
        if (begins(rest, "name:") && rest.find("etymology") == rest.npos && rest.find("pronunciation") == rest.npos &&
            rest.find("signed") == rest.npos && rest.find("source") == rest.npos && rest.find("prefix") == rest.npos) {
            return true;
        }
    }
    return false;
}

bool is_address(std::string_view key) {
    return key == "addr:housenumber" || key == "addr:interpolation" || key == "addr:conscriptionnumber" ||
           key == "addr:streetnumber" || key == "addr:full";
}

/// Whether a key states the kind of an object, or its address.
bool is_kept(std::string_view key) {
    static constexpr std::string_view keys[] = {
        "place",     "mountain_pass", "natural", "tourism",  "railway",    "aerialway",        "amenity", "shop",
        "historic",  "waterway",      "leisure", "landuse",  "man_made",   "public_transport", "route",   "boundary",
        "highway",   "building",      "office",  "craft",    "healthcare", "emergency",        "sport",   "aeroway",
        "power",     "barrier",       "military", "club",    "type",       "admin_level",      "population", "ele",
        "prominence", "postal_code",  "bridge",  "tunnel",   "area",       "landcover",        "golf",    "piste:type",
        "geological", "water",        "information", "junction",  "drinking_water",   "drinking_water:legal",
        "disused",   "abandoned",     "access",   "religion", "shelter_type", "atm",
        "brand",     "opening_hours", "seasonal", "intermittent", "operational_status",
        "operator",  "end_date", "start_date", "opening_date", "park_ride"};
    if (is_name(key) || begins(key, "addr:")) return true;
    const auto is_kind = [](std::string_view one) {
        return std::find(std::begin(keys), std::end(keys), one) != std::end(keys);
    };
    if (is_kind(key)) return true;
    // What an object was, or will be: `disused:amenity`.
    static constexpr std::string_view states[] = {"disused",   "abandoned",  "razed",    "demolished",
                                                  "removed",   "destroyed",  "dismantled", "was",
                                                  "closed",    "proposed",   "planned",  "construction"};
    const auto colon = key.find(':');
    if (colon == key.npos || !is_kind(key.substr(colon + 1))) return false;
    return std::find(std::begin(states), std::end(states), key.substr(0, colon)) != std::end(states);
}

/// The meaning of keys for places, cached: a file has few keys and many tags.
class KeyMeanings {
    struct Meaning {
        bool is_mark, is_kept;
        /// The values of kinds that need no name.
        std::vector<std::string> kinds;

        /// Whether one of the values of a list such as `restaurant;bar` is such a kind.
        bool has_kind(std::string_view values) const {
            if (kinds.empty()) return false;
            while (true) {
                const auto end = values.find(';');
                auto value = values.substr(0, end);
                while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
                if (std::any_of(kinds.begin(), kinds.end(),
                                [value](const std::string &kind) { return kind == value; })) {
                    return true;
                }
                if (end == values.npos) return false;
                values.remove_prefix(end + 1);
            }
        }
    };
    TextStore keys;
    std::vector<Meaning> meanings;
    std::vector<std::pair<std::string, std::string>> kinds;

    const Meaning &of(const char *key) {
        const auto number = static_cast<size_t>(keys.text(key));
        if (number == meanings.size()) {
            meanings.push_back({is_name(key) || is_address(key), ::is_kept(key), {}});
            for (const auto &kind : kinds) {
                if (kind.first == key) meanings.back().kinds.push_back(kind.second);
            }
        }
        return meanings[number];
    }

public:
    /// Adds a kind that needs no name, as `key=value`.
    void add_kind(std::string_view tag) {
        const auto equals = tag.find('=');
        if (equals != tag.npos) kinds.emplace_back(tag.substr(0, equals), tag.substr(equals + 1));
    }

    bool is_kept(const char *key) { return of(key).is_kept; }

    /// Whether one of the tags is a name, an address, or a kind that needs no name.
    bool is_wanted(const osmium::TagList &tags) {
        return std::any_of(tags.begin(), tags.end(), [this](const osmium::Tag &tag) {
            const auto &meaning = of(tag.key());
            return meaning.is_mark || meaning.has_kind(tag.value());
        });
    }
};

struct Objects : TextStore {
    std::vector<uint8_t> types;
    std::vector<int64_t> ids;
    std::vector<int64_t> first_tag{0};
    std::vector<int32_t> tags;
    std::vector<int64_t> first_point{0};
    std::vector<int64_t> nodes;
    std::vector<int32_t> points;
    std::vector<int64_t> first_member{0};
    std::vector<int64_t> members;
    std::vector<int32_t> roles;

    void begin(uint8_t type, int64_t id, const osmium::TagList &list, KeyMeanings &keys) {
        types.push_back(type);
        ids.push_back(id);
        for (const auto &tag : list) {
            if (!keys.is_kept(tag.key())) continue;
            tags.push_back(text(tag.key()));
            tags.push_back(text(tag.value()));
        }
    }

    void point(int64_t node, osmium::Location location) {
        nodes.push_back(node);
        points.push_back(location.valid() ? location.y() : COSM_UNDEFINED);
        points.push_back(location.valid() ? location.x() : COSM_UNDEFINED);
    }

    void end() {
        first_tag.push_back(static_cast<int64_t>(tags.size() / 2));
        first_point.push_back(static_cast<int64_t>(nodes.size()));
        first_member.push_back(static_cast<int64_t>(members.size()));
    }
};

/// A relation with the members that determine its location.
struct Relation {
    int64_t id;
    std::vector<std::pair<std::string, std::string>> tags;
    struct Member {
        osmium::item_type type;
        int64_t id;
        std::string role;
    };
    std::vector<Member> members;
    /// Ways that are not among the members, and those of them that are used if the file has none of the members.
    std::vector<int64_t> rest;
    std::vector<Member> spare;
    static constexpr size_t most_spare = 3;

    /// Maximum ways of a relation that is not an area, evenly spread over all.
    static constexpr size_t most_ways = 9;
    static constexpr size_t most_nodes = 3;

    explicit Relation(const osmium::Relation &relation) : id(relation.id()) {
        bool is_area = false, is_street = false;
        for (const auto &tag : relation.tags()) {
            if (!is_kept(tag.key())) continue;
            tags.emplace_back(tag.key(), tag.value());
            if (std::strcmp(tag.key(), "type") == 0) {
                is_area = std::strcmp(tag.value(), "boundary") == 0 || std::strcmp(tag.value(), "multipolygon") == 0;
                is_street = std::strcmp(tag.value(), "associatedStreet") == 0 || std::strcmp(tag.value(), "street") == 0;
            }
        }
        std::vector<Member> ways, points;
        for (const auto &member : relation.members()) {
            const Member one{member.type(), member.ref(), member.role()};
            if (member.type() == osmium::item_type::way) {
                ways.push_back(one);
            } else if (member.type() == osmium::item_type::node) {
                const bool is_main = one.role == "label" || one.role == "admin_centre";
                points.insert(is_main ? points.begin() : points.end(), one);
            }
        }
        if (points.size() > most_nodes && !is_street) points.erase(points.begin() + most_nodes, points.end());
        if (is_area || is_street || ways.size() <= most_ways) {
            members = ways;
        } else {
            for (size_t index = 0; index < most_ways; ++index) {
                members.push_back(ways[index * (ways.size() - 1) / (most_ways - 1)]);
            }
            for (const auto &way : ways) rest.push_back(way.id);
        }
        members.insert(members.end(), points.begin(), points.end());
    }
};

struct Reader {
    KeyMeanings keys;
    std::vector<Relation> relations;
    std::vector<int64_t> wanted_ways, wanted_nodes;
    /// Ways that may replace those of a relation, with the relation.
    std::vector<std::pair<int64_t, size_t>> spare_ways;
    Objects ways, result;
    std::unordered_map<int64_t, int64_t> way_index, node_index;

    static void sort(std::vector<int64_t> &ids) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }

    /// The same for many ids, with checks for cancellation; `false` if it was cancelled.
    template <typename IsStopped>
    static bool sort_in_steps(std::vector<int64_t> &ids, IsStopped &&is_stopped) {
        constexpr size_t step = 1 << 17;
        const size_t size = ids.size();
        for (size_t start = 0; start < size; start += step) {
            if (is_stopped()) return false;
            std::sort(ids.begin() + start, ids.begin() + std::min(size, start + step));
        }
        std::vector<int64_t> merged(size);
        for (size_t width = step; width < size; width *= 2) {
            for (size_t start = 0; start < size; start += 2 * width) {
                if (is_stopped()) return false;
                const auto middle = std::min(size, start + width), end = std::min(size, start + 2 * width);
                std::merge(
                    ids.begin() + start, ids.begin() + middle, ids.begin() + middle, ids.begin() + end,
                    merged.begin() + start);
            }
            ids.swap(merged);
        }
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return true;
    }

    cosm_result read_all(cosm_file *file, cosm_progress progress, void *context) {
        const auto nothing = [](int64_t, osmium::Location) {};
        const auto take_relation = [&](const auto &item) {
            if (item.type() != osmium::item_type::relation) return;
            const auto &relation = static_cast<const osmium::Relation &>(item);
            if (keys.is_wanted(relation.tags())) relations.emplace_back(relation);
        };
        auto outcome = read(file, osmium::osm_entity_bits::relation, progress, context, take_relation, nothing);
        if (outcome.status != cosm_ok) return outcome;
        for (const auto &relation : relations) {
            for (const auto &member : relation.members) {
                (member.type == osmium::item_type::way ? wanted_ways : wanted_nodes).push_back(member.id);
            }
        }
        sort(wanted_ways);
        for (size_t index = 0; index < relations.size(); ++index) {
            for (const auto id : relations[index].rest) spare_ways.emplace_back(id, index);
            relations[index].rest = {};
        }
        std::sort(spare_ways.begin(), spare_ways.end());
        const auto take_way = [&](const auto &item) {
            if (item.type() == osmium::item_type::way) add(static_cast<const osmium::Way &>(item));
        };
        outcome = read(file, osmium::osm_entity_bits::way, progress, context, take_way, nothing);
        if (outcome.status != cosm_ok) return outcome;
        // The locations of the distinct nodes of ways and relations, then those of each use.
        std::vector<int64_t> ids = wanted_nodes;
        sort(wanted_nodes);
        ids.insert(ids.end(), ways.nodes.begin(), ways.nodes.end());
        const auto is_stopped = [&] { return progress && progress(context, outcome.offset, outcome.offset) != 0; };
        if (!sort_in_steps(ids, is_stopped)) return failure(cosm_stopped, "", outcome.offset);
        std::vector<int32_t> latitudes(ids.size(), COSM_UNDEFINED), longitudes(ids.size(), COSM_UNDEFINED);
        NodeStore store{ids.data(), ids.size(), latitudes.data(), longitudes.data()};
        const auto take_node = [&](const auto &item) {
            if (item.type() != osmium::item_type::node) return;
            const auto &node = static_cast<const osmium::Node &>(item);
            store.add(node.id(), node.location());
            add(node);
        };
        const auto place_node = [&](int64_t id, osmium::Location location) { store.add(id, location); };
        outcome = read(file, osmium::osm_entity_bits::node, progress, context, take_node, place_node);
        if (outcome.status != cosm_ok) return outcome;
        constexpr size_t step = 1 << 14;
        size_t found = 0;
        for (size_t index = 0; index < ways.nodes.size(); ++index) {
            if (index % step == 0 && is_stopped()) return failure(cosm_stopped, "", outcome.offset);
            if (ways.points[2 * index] != COSM_UNDEFINED) continue;
            // Most nodes of a way follow each other.
            ++found;
            if (found >= ids.size() || ids[found] != ways.nodes[index]) {
                found = static_cast<size_t>(std::lower_bound(ids.begin(), ids.end(), ways.nodes[index]) - ids.begin());
            }
            ways.points[2 * index] = latitudes[found];
            ways.points[2 * index + 1] = longitudes[found];
        }
        for (const auto id : wanted_nodes) {
            if (node_index.count(id)) continue;
            found = static_cast<size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
            if (latitudes[found] == COSM_UNDEFINED) continue;
            node_index.emplace(id, static_cast<int64_t>(result.ids.size()));
            result.types.push_back(0);
            result.ids.push_back(id);
            result.point(id, osmium::Location{longitudes[found], latitudes[found]});
            result.end();
        }
        if (is_stopped()) return failure(cosm_stopped, "", outcome.offset);
        append_ways();
        if (is_stopped()) return failure(cosm_stopped, "", outcome.offset);
        append_relations();
        return outcome;
    }

    void add(const osmium::Way &way) {
        bool is_part = std::binary_search(wanted_ways.begin(), wanted_ways.end(), way.id());
        for (auto spare = std::lower_bound(spare_ways.begin(), spare_ways.end(), std::make_pair(way.id(), size_t{0}));
             spare != spare_ways.end() && spare->first == way.id(); ++spare) {
            auto &relation = relations[spare->second];
            if (relation.spare.size() == Relation::most_spare) continue;
            relation.spare.push_back({osmium::item_type::way, way.id(), ""});
            is_part = true;
        }
        if (!is_part && !keys.is_wanted(way.tags())) return;
        if (is_part) way_index.emplace(way.id(), static_cast<int64_t>(ways.ids.size()));
        ways.begin(1, way.id(), way.tags(), keys);
        for (const auto &ref : way.nodes()) ways.point(ref.ref(), ref.location());
        ways.end();
    }

    void add(const osmium::Node &node) {
        if (!node.location().valid() || !keys.is_wanted(node.tags())) return;
        if (std::binary_search(wanted_nodes.begin(), wanted_nodes.end(), node.id())) {
            node_index.emplace(node.id(), static_cast<int64_t>(result.ids.size()));
        }
        result.begin(0, node.id(), node.tags(), keys);
        result.point(node.id(), node.location());
        result.end();
    }

    void append_ways() {
        const auto shift = static_cast<int64_t>(result.ids.size());
        for (auto &entry : way_index) entry.second += shift;
        std::vector<int32_t> texts(ways.first_byte.size() - 1);
        std::string text;
        for (size_t index = 0; index < texts.size(); ++index) {
            const auto start = static_cast<size_t>(ways.first_byte[index]);
            text.assign(ways.bytes, start, static_cast<size_t>(ways.first_byte[index + 1]) - start);
            texts[index] = result.text(text.c_str());
        }
        const auto tags = static_cast<int64_t>(result.tags.size() / 2);
        const auto points = static_cast<int64_t>(result.nodes.size());
        result.types.insert(result.types.end(), ways.types.begin(), ways.types.end());
        result.ids.insert(result.ids.end(), ways.ids.begin(), ways.ids.end());
        for (const auto tag : ways.tags) result.tags.push_back(texts[static_cast<size_t>(tag)]);
        result.nodes.insert(result.nodes.end(), ways.nodes.begin(), ways.nodes.end());
        result.points.insert(result.points.end(), ways.points.begin(), ways.points.end());
        for (size_t index = 1; index < ways.first_tag.size(); ++index) {
            result.first_tag.push_back(ways.first_tag[index] + tags);
            result.first_point.push_back(ways.first_point[index] + points);
            result.first_member.push_back(0);
        }
        ways = Objects{};
    }

    void append_relations() {
        for (const auto &relation : relations) {
            result.types.push_back(2);
            result.ids.push_back(relation.id);
            for (const auto &tag : relation.tags) {
                result.tags.push_back(result.text(tag.first.c_str()));
                result.tags.push_back(result.text(tag.second.c_str()));
            }
            const bool is_there = std::any_of(
                relation.members.begin(), relation.members.end(), [this](const Relation::Member &member) {
                    return member.type == osmium::item_type::way && way_index.count(member.id);
                });
            auto members = relation.members;
            if (!is_there) members.insert(members.end(), relation.spare.begin(), relation.spare.end());
            for (const auto &member : members) {
                const auto &index = member.type == osmium::item_type::way ? way_index : node_index;
                const auto found = index.find(member.id);
                result.members.push_back(found == index.end() ? -1 : found->second);
                result.roles.push_back(result.text(member.role.c_str()));
            }
            result.end();
        }
    }
};

}  // namespace

extern "C" cosm_result cosm_read_places(
    cosm_file *file, const char *const *kinds, size_t kind_count, cosm_progress progress, void *context,
    cosm_places *places) {
    std::memset(places, 0, sizeof *places);
    auto *reader = new (std::nothrow) Reader;
    if (!reader) return failure(cosm_memory, "out of memory", 0);
    places->owner = reader;
    cosm_result outcome;
    try {
        for (size_t kind = 0; kind < kind_count; ++kind) reader->keys.add_kind(kinds[kind]);
        outcome = reader->read_all(file, progress, context);
    } catch (const std::bad_alloc &) {
        return failure(cosm_memory, "out of memory", 0);
    } catch (const std::exception &error) {
        return failure(cosm_damaged, error.what(), 0);
    }
    const auto &all = reader->result;
    places->count = outcome.status == cosm_ok ? all.ids.size() : 0;
    places->types = all.types.data();
    places->ids = all.ids.data();
    places->first_tag = all.first_tag.data();
    places->tags = all.tags.data();
    places->first_point = all.first_point.data();
    places->nodes = all.nodes.data();
    places->points = all.points.data();
    places->first_member = all.first_member.data();
    places->members = all.members.data();
    places->roles = all.roles.data();
    places->text_count = all.first_byte.size() - 1;
    places->first_byte = all.first_byte.data();
    places->bytes = all.bytes.data();
    return outcome;
}

extern "C" void cosm_free_places(cosm_places *places) {
    delete static_cast<Reader *>(places->owner);
    std::memset(places, 0, sizeof *places);
}

#endif
