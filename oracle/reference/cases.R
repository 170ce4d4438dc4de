# What the scripts of this folder share: they read the inputs of x.json, compute every answer anew and write them beside their
# inputs. The data are in data/ (sources: README.md); factor levels have the order given in the JSON, not that of the alphabet.
here <- "oracle/reference/"
quiet <- function(x) suppressWarnings(suppressMessages(x))
vec <- function(x) { x <- unclass(x); attributes(x) <- NULL; as.numeric(x) }
rows <- function(m) unname(lapply(seq_len(nrow(m)), function(i) I(vec(m[i, ]))))
read_cases <- function(name) jsonlite::fromJSON(paste0(here, name), simplifyVector = FALSE)

data_of <- function(reference, name) {
  about <- reference$datasets[[name]]
  d <- read.csv(paste0(here, about$file), colClasses = "character")
  for (column in names(about$columns)) {
    own <- about$columns[[column]]
    d[[column]] <- if (own$type == "numeric") as.numeric(d[[column]]) else
      factor(d[[column]], levels = as.character(unlist(own$levels)), ordered = own$type == "ordered")
  }
  d
}

# Shortest decimals that read back as the same double. A vector of one is a number unless wrapped in I().
number <- function(x) {
  one <- function(v) {
    if (is.nan(v)) return('"NaN"')
    if (is.na(v)) return("null")
    if (is.infinite(v)) return(if (v > 0) '"Infinity"' else '"-Infinity"')
    for (digits in 15:17) { text <- formatC(v, digits = digits, format = "g", width = 1); if (as.numeric(text) == v) break }
    text
  }
  vapply(x, one, "")
}
json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x) && !is.null(names(x))) return(paste0("{", paste0(sapply(names(x), json), ":", sapply(x, json), collapse = ","), "}"))
  if (is.list(x)) return(paste0("[", paste(sapply(x, json), collapse = ","), "]"))
  cells <- if (is.numeric(x)) number(as.numeric(x)) else if (is.logical(x)) ifelse(is.na(x), "null", tolower(x)) else
    ifelse(is.na(x), "null", vapply(as.character(x), function(s) as.character(jsonlite::toJSON(s, auto_unbox = TRUE)), ""))
  if (length(cells) == 1 && !inherits(x, "AsIs")) cells else paste0("[", paste(cells, collapse = ","), "]")
}
versions <- function(packages) c(list(R = as.character(getRversion())),
  sapply(packages, function(p) as.character(packageVersion(p)), simplify = FALSE))
write_cases <- function(reference, name, packages) {
  reference$generated_with <- versions(packages)
  lines <- vapply(reference$cases, json, "")
  reference$cases <- NULL
  head <- json(reference)
  writeLines(c(paste0(substr(head, 1, nchar(head) - 1), ',"cases":['), paste0(lines, c(rep(",", length(lines) - 1), "")), "]}"), paste0(here, name))
}
# an optimiser of lme4 that returns its start
stay_at_start <- function(fn, par, lower, upper, control) list(par = par, fval = fn(par), convergence = 0, conv = 0, message = "", feval = 1)
