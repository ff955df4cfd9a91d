#include "core/data/story_words.h"

namespace sextant::story {

#define WORDS(name, ...)                          \
    const Words& name() {                         \
        static const Words words = {__VA_ARGS__}; \
        return words;                             \
    }

WORDS(looks, "copper", "faded", "silver", "cracked", "painted", "heavy", "crooked", "green", "yellow", "scarlet",
      "wooden", "polished", "rusty", "tiny", "striped", "black", "pale", "carved", "broken", "golden", "leather",
      "blue", "dusty", "folded", "iron", "velvet", "spotted", "white", "purple", "hollow", "brass", "woven", "grey",
      "mended", "round", "smooth")
WORDS(things, "lamp", "kettle", "flute", "map", "mirror", "basket", "ring", "hammer", "clock", "letter", "drum",
      "cloak", "compass", "bottle", "whistle", "ladder", "knife", "candle", "saddle", "bell", "book", "coin", "rope",
      "shovel", "violin", "helmet", "teapot", "umbrella", "needle", "lantern", "anchor", "pillow", "bucket", "key",
      "scarf", "jar", "telescope", "spoon", "wheel", "box")
WORDS(trades, "baker", "ferryman", "weaver", "miller", "gardener", "smith", "teacher", "painter", "shepherd", "sailor",
      "carpenter", "doctor", "fiddler", "hunter", "mason", "tailor", "clerk", "potter", "cook", "beekeeper", "farmer",
      "printer", "tinker", "judge", "innkeeper", "guard", "poet", "fisher")
WORDS(qualities, "old", "narrow", "quiet", "long", "dark", "bright", "cold", "empty", "steep", "wild", "low", "broad",
      "muddy", "warm", "lonely", "tall", "sandy", "deep", "crowded", "windy", "frozen", "soft", "bare", "distant",
      "ruined", "mossy", "hidden", "open", "burnt", "flooded", "shallow", "rough", "sunny", "silent", "stony", "thick")
WORDS(scenery, "gate", "orchard", "bridge", "meadow", "tower", "river", "market", "harbour", "chapel", "forest", "well",
      "mill", "cellar", "garden", "hill", "road", "roof", "stable", "quarry", "lake", "field", "wall", "valley", "cave",
      "square", "island", "path", "kitchen", "window", "barn", "shore", "marsh", "stair", "cottage", "fountain",
      "ditch", "hedge", "cliff", "library", "attic")
WORDS(creatures, "heron", "goat", "fox", "crow", "donkey", "cat", "hound", "owl", "swan", "badger", "horse", "hare",
      "sparrow", "toad", "otter", "goose", "beetle", "mouse", "pigeon", "wolf", "lamb", "falcon", "hedgehog", "moth",
      "squirrel", "trout", "bull", "spider", "hen", "bat")
WORDS(motions, "drifted", "turned", "slept", "waited", "rested", "shone", "leaned", "moved", "hid", "stood", "fell",
      "wandered", "trembled", "lingered", "circled", "settled", "rolled", "vanished", "paused", "sang", "rattled",
      "glowed", "crept", "stirred", "climbed", "spun", "floated", "lay", "ran", "listened")
WORDS(relations, "beside", "above", "behind", "near", "below", "around", "across", "beyond", "inside", "along", "under",
      "past", "against", "before", "over", "by", "outside", "towards")
WORDS(moods, "glad", "uneasy", "tired", "proud", "afraid", "hungry", "curious", "calm", "angry", "lonely", "hopeful",
      "puzzled", "cheerful", "worried", "patient", "ashamed", "restless", "grateful", "jealous", "brave", "sleepy",
      "thirsty", "sorry", "certain")
WORDS(manners, "slowly", "at once", "in silence", "without a word", "with care", "alone", "in a hurry", "gladly",
      "again", "by the back door", "on foot", "as before", "with a sigh", "for a while", "late", "together", "by boat",
      "barefoot")
WORDS(times, "in the morning", "before noon", "at dusk", "after supper", "that night", "the next day", "on market day",
      "at dawn", "in the evening", "two days later", "a week later", "before winter", "after the rain", "at midnight",
      "on the third day", "in the spring", "when the bells rang", "some time later", "at last", "in autumn")
WORDS(weathers, "rain", "a thin mist", "snow", "thunder", "a warm wind", "hail", "fog", "bright sun", "frost",
      "a cold wind", "smoke", "heavy cloud", "drizzle", "a storm", "moonlight", "dust")
WORDS(numbers, "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty")
WORDS(goods, "apples", "nails", "loaves", "barrels", "feathers", "ribbons", "stones", "eggs", "sheep", "candles",
      "pears", "boats", "cheeses", "sacks", "plates", "buttons", "lanterns", "fish", "chairs", "coins", "onions",
      "carts", "bricks", "bees", "shells", "letters", "roses", "planks", "spoons", "walnuts")
WORDS(kin, "brother", "aunt", "daughter", "uncle", "sister", "cousin", "father", "mother", "neighbour", "friend", "son",
      "grandmother", "teacher", "partner", "nephew", "niece")
WORDS(reasons, "the road was long", "nobody had come", "the water was rising", "the bread was gone", "winter was near",
      "the door was locked", "a dog was barking", "the news was good", "the lamp had gone out", "the bridge was down",
      "the harvest was poor", "a stranger had called", "the song was over", "the boat was late", "the fire was warm",
      "there was work to do", "the letter was lost", "the market was closed", "spring had come", "the well was dry")

#undef WORDS

const std::string& pick(Random& random, const Words& words) {
    return words[random.below(static_cast<std::uint32_t>(words.size()))];
}

std::string person_name(Random& random) {
    static const Words first = {"Ba", "Bri", "Ca",  "Da",  "Dre", "El", "Fa", "Fen", "Ga", "Ha", "Hel",
                                "Il", "Jo",  "Ka",  "Kes", "Li",  "Lo", "Ma", "Mi",  "Na", "Ol", "Pe",
                                "Ro", "Sa",  "Sel", "Ta",  "To",  "Ul", "Va", "Wi",  "Ye", "Za"};
    static const Words last = {"bel", "ra",  "lin", "dan", "mir", "na",  "ric", "ven", "lo",  "sa",  "ton", "wen",
                               "den", "gan", "ris", "to",  "ma",  "ket", "vi",  "dra", "nor", "sik", "fa",  "lia"};
    return pick(random, first) + pick(random, last);
}

std::string place_name(Random& random) {
    static const Words first = {"Ash",  "Birch", "Black",  "Bram",  "Clay",  "Cross", "Dun",   "East",
                                "Elm",  "Fair",  "Fern",   "Glen",  "Green", "Hart",  "Hazel", "High",
                                "King", "Lang",  "Mar",    "Mill",  "North", "Oak",   "Penn",  "Raven",
                                "Red",  "Salt",  "Silver", "Stone", "Thorn", "West",  "White", "Wolf"};
    static const Words last = {"ford", "brook", "ton",  "field",  "haven", "mouth", "bury", "dale",
                               "ham",  "well",  "wick", "bridge", "stead", "moor",  "gate", "cliff"};
    return pick(random, first) + pick(random, last);
}

std::string secret_word(Random& random) {
    static const Words syllables = {"ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pa", "ro", "si", "tu",
                                    "va", "zo", "be", "di", "fo", "ga", "ke", "la", "mo", "ni", "pu", "ra"};
    std::string word;
    for (std::uint32_t count = 2 + random.below(2); count > 0; --count)
        word += pick(random, syllables);
    return word;
}

std::string with_article(const std::string& words) {
    const bool vowel = words.find_first_of("aeiou") == 0;
    return (vowel ? "an " : "a ") + words;
}

std::string capitalized(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words;
}

}  // namespace sextant::story
